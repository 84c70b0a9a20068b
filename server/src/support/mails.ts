/** Mails of the support thread, in the language of the conversation. */
import { type LocaleName, localeOf } from '@cambist/contract/locales.ts';
import type { Mail } from '../mail/service.ts';

interface Texts {
  readonly confirmationSubject: string;
  /** `{site}` and `{reference}` are filled in. */
  readonly confirmation: string;
  readonly answerSubject: string;
  readonly answerEnd: string;
}

const texts: Readonly<Record<LocaleName, Texts>> = {
  en: {
    confirmationSubject: '{site} support: we have your message, no. {reference}',
    confirmation:
      'Thank you. Your message has reached us under the number {reference}, and a person will answer it. If you did not write to us, ignore this mail.',
    answerSubject: '{site} support: an answer to no. {reference}',
    answerEnd: 'To reply, open the support thread on {site}. We never ask for a password or a code.',
  },
  cn: {
    confirmationSubject: '{site} 客服：已收到您的訊息，編號 {reference}',
    confirmation:
      '感謝您的來信。我們已收到您的訊息，編號為 {reference}，將由專人回覆。若您並未寫信給我們，請忽略本郵件。',
    answerSubject: '{site} 客服：編號 {reference} 的回覆',
    answerEnd: '如需回覆，請開啟 {site} 的客服對話。我們絕不會向您索取密碼或驗證碼。',
  },
  zhHans: {
    confirmationSubject: '{site} 客服：已收到您的消息，编号 {reference}',
    confirmation:
      '感谢您的来信。我们已收到您的消息，编号为 {reference}，将由专人回复。如果您没有写信给我们，请忽略本邮件。',
    answerSubject: '{site} 客服：编号 {reference} 的回复',
    answerEnd: '如需回复，请打开 {site} 的客服对话。我们绝不会向您索取密码或验证码。',
  },
  german: {
    confirmationSubject: '{site} Support: Ihre Nachricht ist da, Nr. {reference}',
    confirmation:
      'Vielen Dank. Ihre Nachricht hat uns unter der Nummer {reference} erreicht; ein Mensch wird sie beantworten. Falls Sie uns nicht geschrieben haben, beachten Sie diese Mail nicht.',
    answerSubject: '{site} Support: eine Antwort zu Nr. {reference}',
    answerEnd:
      'Um zu antworten, öffnen Sie das Supportgespräch auf {site}. Wir fragen nie nach einem Passwort oder Code.',
  },
  ja: {
    confirmationSubject: '{site} サポート：お問い合わせを受け付けました（番号 {reference}）',
    confirmation:
      'お問い合わせありがとうございます。番号 {reference} で受け付けました。担当者がお答えします。お心当たりがない場合は、このメールを無視してください。',
    answerSubject: '{site} サポート：番号 {reference} への回答',
    answerEnd:
      '返信するには、{site} のサポートの会話を開いてください。パスワードやコードをお尋ねすることはありません。',
  },
  spanish: {
    confirmationSubject: 'Soporte de {site}: hemos recibido su mensaje, n.º {reference}',
    confirmation:
      'Gracias. Su mensaje nos ha llegado con el número {reference} y una persona le responderá. Si no nos ha escrito, ignore este correo.',
    answerSubject: 'Soporte de {site}: respuesta al n.º {reference}',
    answerEnd: 'Para contestar, abra la conversación de soporte en {site}. Nunca pedimos contraseñas ni códigos.',
  },
  vi: {
    confirmationSubject: 'Hỗ trợ {site}: chúng tôi đã nhận tin nhắn của bạn, số {reference}',
    confirmation:
      'Cảm ơn bạn. Tin nhắn của bạn đã đến với số {reference} và sẽ có người trả lời. Nếu bạn không viết cho chúng tôi, hãy bỏ qua e-mail này.',
    answerSubject: 'Hỗ trợ {site}: trả lời cho số {reference}',
    answerEnd: 'Để phản hồi, hãy mở hội thoại hỗ trợ trên {site}. Chúng tôi không bao giờ hỏi mật khẩu hay mã.',
  },
};

export interface Letter {
  readonly to: string;
  readonly site: string;
  readonly reference: number;
  readonly locale: string;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const paragraph = (text: string) =>
  `<p style="white-space:pre-line">${text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')}</p>`;

function compose({ to, site, reference }: Letter, subject: string, paragraphs: readonly string[]): Mail {
  const fill = (text: string) => text.replaceAll('{site}', site).replaceAll('{reference}', String(reference));
  return {
    to,
    subject: fill(subject),
    text: paragraphs.map(fill).join('\n\n'),
    html: paragraphs.map((text) => paragraph(fill(text))).join(''),
  };
}

/** Nothing that the writer wrote is in it: the address is unchecked, and a form must not send his words to others. */
export function confirmationMail(letter: Letter): Mail {
  const { confirmationSubject, confirmation } = texts[localeOf(letter.locale).name];
  return compose(letter, confirmationSubject, [confirmation]);
}

export function answerMail(letter: Letter, answer: string): Mail {
  const { answerSubject, answerEnd } = texts[localeOf(letter.locale).name];
  const mail = compose(letter, answerSubject, [answerEnd]);
  return { ...mail, text: `${answer}\n\n${mail.text}`, html: paragraph(answer) + mail.html };
}
