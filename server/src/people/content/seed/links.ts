/** Banners, promos and links as a new exchange has them: no community and no address is made up. */
import type { StoredContent } from '@cambist/contract/content.ts';

export const banners: StoredContent<'banners'> = {
  items: [
    {
      id: 'airdrop',
      text: {
        en: 'Airdrop coming up: the date and the conditions will be announced here.',
        cn: '空投即將開始：日期與參與條件將在此公布。',
        zhHans: '空投即将开始：日期与参与条件将在此公布。',
        german: 'Ein Airdrop steht bevor: Termin und Bedingungen werden hier bekannt gegeben.',
        ja: 'エアドロップを予定しています。日程と条件はここでお知らせします。',
        spanish: 'Próximo airdrop: la fecha y las condiciones se anunciarán aquí.',
        vi: 'Sắp có airdrop: thời gian và điều kiện sẽ được công bố tại đây.',
      },
      url: '',
      enabled: true,
      sample: true,
      starts_at: null,
      ends_at: null,
    },
  ],
};

export const promos: StoredContent<'promos'> = {
  items: [
    {
      id: 'daily-rebate',
      title: {
        en: 'Daily Rebate',
        cn: '每日返利',
        zhHans: '每日返利',
        german: 'Tägliche Rückvergütung',
        ja: 'デイリーリベート',
        spanish: 'Reembolso diario',
        vi: 'Hoàn phí hằng ngày',
      },
      text: {
        en: 'Complete the tasks of the day in the Rewards Center and claim what they pay back.',
        cn: '在獎勵中心完成當日任務，即可領取返還的獎勵。',
        zhHans: '在奖励中心完成当日任务，即可领取返还的奖励。',
        german: 'Erledigen Sie die Tagesaufgaben im Prämiencenter und holen Sie sich die Rückvergütung.',
        ja: 'リワードセンターでその日のタスクを完了すると、還元分を受け取れます。',
        spanish: 'Completa las tareas del día en Recompensas y reclama tu reembolso.',
        vi: 'Hoàn thành nhiệm vụ trong ngày tại mục Phần thưởng và nhận lại phần hoàn trả.',
      },
      button: {
        en: 'SEE HOW IT WORKS',
        cn: '了解如何運作',
        zhHans: '了解如何运作',
        german: 'SO FUNKTIONIERT ES',
        ja: '仕組みを見る',
        spanish: 'VER CÓMO FUNCIONA',
        vi: 'XEM CÁCH HOẠT ĐỘNG',
      },
      url: '/account/rewards',
      enabled: true,
      sample: false,
    },
  ],
};

export const downloads: StoredContent<'downloads'> = { android: '', ios: '' };

export const community: StoredContent<'community'> = {
  blurb: {
    en: 'Trade in the open. Every balance is proven by double entry, every fee is stated beforehand, and the code is there for all to read.',
    cn: '公開透明地交易。每筆餘額皆由複式記帳佐證，每項費用事先說明，程式碼人人可查閱。',
    zhHans: '公开透明地交易。每笔余额都由复式记账佐证，每项费用事先说明，代码人人可查阅。',
    german:
      'Transparent handeln: Jedes Guthaben ist durch doppelte Buchführung belegt, jede Gebühr steht vorher fest, und der Code ist für alle lesbar.',
    ja: '開かれた取引を。残高はすべて複式簿記で裏づけられ、手数料は事前に示され、コードは誰でも読めます。',
    spanish:
      'Opera con transparencia: cada saldo se demuestra por partida doble, cada comisión se conoce de antemano y el código está al alcance de cualquiera.',
    vi: 'Giao dịch minh bạch. Mọi số dư được chứng minh bằng bút toán kép, mọi khoản phí được nêu trước và ai cũng có thể đọc mã nguồn.',
  },
  links: [],
};

export const contacts: StoredContent<'contacts'> = {
  support_email: '',
  business_email: '',
  privacy_email: '',
  postal_address: '',
  hours: '',
};
