/** The mail of an alert, in the language that the client had when it was made. */
import { type LocaleName, localeOf } from '@cambist/contract/locales.ts';
import type { Mail } from '../mail/service.ts';

/** `{pair}`, `{price}`, `{fired}`, `{time}` and `{site}` are filled in. */
interface Texts {
  readonly subject: string;
  readonly above: string;
  readonly below: string;
  readonly end: string;
}

const texts: Readonly<Record<LocaleName, Texts>> = {
  en: {
    subject: '{pair} is at {fired}',
    above: '{pair} traded at {fired}, at or above the {price} of your alert ({time}).',
    below: '{pair} traded at {fired}, at or below the {price} of your alert ({time}).',
    end: 'You asked for this mail with a price alert on {site}. You can delete the alert there.',
  },
  cn: {
    subject: '{pair} 現價 {fired}',
    above: '{pair} 成交價為 {fired}，已達到或高於您提醒設定的 {price}（{time}）。',
    below: '{pair} 成交價為 {fired}，已達到或低於您提醒設定的 {price}（{time}）。',
    end: '這封郵件來自您在 {site} 設定的價格提醒，您可以在該處刪除提醒。',
  },
  zhHans: {
    subject: '{pair} 现价 {fired}',
    above: '{pair} 成交价为 {fired}，已达到或高于您提醒设定的 {price}（{time}）。',
    below: '{pair} 成交价为 {fired}，已达到或低于您提醒设定的 {price}（{time}）。',
    end: '这封邮件来自您在 {site} 设置的价格提醒，您可以在那里删除提醒。',
  },
  german: {
    subject: '{pair} steht bei {fired}',
    above: '{pair} wurde zu {fired} gehandelt, also auf oder über den {price} Ihres Alarms ({time}).',
    below: '{pair} wurde zu {fired} gehandelt, also auf oder unter den {price} Ihres Alarms ({time}).',
    end: 'Diese Mail haben Sie mit einem Preisalarm auf {site} bestellt. Dort können Sie den Alarm löschen.',
  },
  ja: {
    subject: '{pair} が {fired} になりました',
    above: '{pair} が {fired} で約定し、アラートの {price} 以上になりました（{time}）。',
    below: '{pair} が {fired} で約定し、アラートの {price} 以下になりました（{time}）。',
    end: 'このメールは {site} の価格アラートによるものです。アラートは {site} で削除できます。',
  },
  spanish: {
    subject: '{pair} está en {fired}',
    above: '{pair} se ha negociado a {fired}, en o por encima de los {price} de su alerta ({time}).',
    below: '{pair} se ha negociado a {fired}, en o por debajo de los {price} de su alerta ({time}).',
    end: 'Pidió este correo con una alerta de precio en {site}. Allí puede borrar la alerta.',
  },
  vi: {
    subject: '{pair} đang ở {fired}',
    above: '{pair} đã khớp ở {fired}, bằng hoặc cao hơn mức {price} trong cảnh báo của bạn ({time}).',
    below: '{pair} đã khớp ở {fired}, bằng hoặc thấp hơn mức {price} trong cảnh báo của bạn ({time}).',
    end: 'Bạn nhận thư này vì đã đặt cảnh báo giá trên {site}. Bạn có thể xóa cảnh báo tại đó.',
  },
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const paragraph = (text: string) => `<p>${text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')}</p>`;

export interface AlertMail {
  readonly to: string;
  readonly locale: string;
  readonly above: boolean;
  readonly pair: string;
  readonly price: string;
  readonly fired: string;
  /** Ms since 1970. */
  readonly time: number;
  readonly note: string;
  readonly site: string;
}

export function alertMail(alert: AlertMail): Mail {
  const { subject, above, below, end } = texts[localeOf(alert.locale).name];
  const time = `${new Date(alert.time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const values: Readonly<Record<string, string>> = { ...alert, time, above: '' };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  const paragraphs = [fill(alert.above ? above : below), ...(alert.note === '' ? [] : [alert.note]), fill(end)];
  return {
    to: alert.to,
    subject: fill(subject),
    text: paragraphs.join('\n\n'),
    html: paragraphs.map(paragraph).join(''),
  };
}
