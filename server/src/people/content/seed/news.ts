/** What a new exchange can truly say of itself on its first day. */
import type { Localized, StoredContent } from '@cambist/contract/content.ts';

interface Article {
  readonly id: string;
  readonly url: string;
  readonly imageurl: string;
  readonly title: Localized;
  readonly body: Localized;
}

const articles: readonly Article[] = [
  {
    id: 'open',
    url: '/markets/prices',
    imageurl: '/icons/btc.svg',
    title: {
      en: 'Spot trading is open',
      cn: '現貨交易已開放',
      zhHans: '现货交易已开放',
      german: 'Der Spothandel ist eröffnet',
      ja: '現物取引を開始しました',
      spanish: 'El trading spot está abierto',
      vi: 'Giao dịch giao ngay đã mở',
    },
    body: {
      en: 'All pairs are quoted against USDT, with live books, charts and trades that anyone can look at without logging in.',
      cn: '所有交易對均以 USDT 計價，即時訂單簿、圖表與成交記錄無須登入即可查看。',
      zhHans: '所有交易对均以 USDT 计价，实时订单簿、图表与成交记录无需登录即可查看。',
      german:
        'Alle Paare werden gegen USDT gehandelt. Orderbücher, Charts und Trades sind live und ohne Anmeldung zu sehen.',
      ja: 'すべてのペアはUSDT建てです。板、チャート、約定はリアルタイムで、ログインなしでご覧いただけます。',
      spanish:
        'Todos los pares cotizan en USDT, con libros, gráficos y operaciones en vivo que cualquiera puede ver sin iniciar sesión.',
      vi: 'Mọi cặp đều định giá bằng USDT, với sổ lệnh, biểu đồ và giao dịch trực tiếp mà ai cũng xem được không cần đăng nhập.',
    },
  },
  {
    id: 'proven-balances',
    url: '/about',
    imageurl: '/icons/usdt.svg',
    title: {
      en: 'Every balance is proven while you trade',
      cn: '交易之際，每筆餘額皆經核驗',
      zhHans: '交易之时，每笔余额都经核验',
      german: 'Jedes Guthaben wird geprüft, während Sie handeln',
      ja: '取引中も、すべての残高を検証',
      spanish: 'Cada saldo se verifica mientras operas',
      vi: 'Mọi số dư được kiểm chứng trong khi bạn giao dịch',
    },
    body: {
      en: 'A double-entry ledger stands behind every account, and a reconciler compares postings, balances and open orders all the time.',
      cn: '每個帳戶背後都有複式帳本，對帳程序持續比對分錄、餘額與當前委託。',
      zhHans: '每个账户背后都有复式账本，对账程序持续比对分录、余额与当前委托。',
      german:
        'Hinter jedem Konto steht ein doppelt geführtes Hauptbuch; ein Abgleich vergleicht laufend Buchungen, Guthaben und offene Orders.',
      ja: 'どのアカウントも複式簿記の台帳に裏づけられ、仕訳・残高・未約定注文が常に照合されています。',
      spanish:
        'Tras cada cuenta hay un libro contable de partida doble, y un conciliador compara en todo momento asientos, saldos y órdenes abiertas.',
      vi: 'Đằng sau mỗi tài khoản là sổ cái bút toán kép, và bộ đối soát liên tục so sánh bút toán, số dư và lệnh mở.',
    },
  },
  {
    id: 'second-password',
    url: '/account/security',
    imageurl: '/icons/eth.svg',
    title: {
      en: 'Two passwords, and why',
      cn: '為何需要兩組密碼',
      zhHans: '为什么需要两组密码',
      german: 'Zwei Passwörter, und warum',
      ja: 'パスワードが2つある理由',
      spanish: 'Dos contraseñas, y por qué',
      vi: 'Hai mật khẩu, và lý do',
    },
    body: {
      en: 'The transaction password confirms what moves money, so that a stolen login alone cannot trade or withdraw. Find both under Security.',
      cn: '交易密碼用於確認動用資金的操作，僅憑盜得的登入資訊無法交易或提現。兩組密碼都在「帳戶安全」中設定。',
      zhHans: '交易密码用于确认动用资金的操作，仅凭盗取的登录信息无法交易或提现。两组密码都在“账户安全”中设置。',
      german:
        'Das Transaktionspasswort bestätigt, was Geld bewegt: Mit einer gestohlenen Anmeldung allein lässt sich weder handeln noch auszahlen. Beide finden Sie unter „Sicherheit“.',
      ja: '資金を動かす操作は取引パスワードで確認します。ログイン情報が盗まれても、それだけでは取引も出金もできません。どちらも「セキュリティ」で設定できます。',
      spanish:
        'La contraseña de transacción confirma lo que mueve dinero: un inicio de sesión robado no basta para operar ni retirar. Ambas están en Seguridad.',
      vi: 'Mật khẩu giao dịch xác nhận mọi thao tác di chuyển tiền, nên chỉ đánh cắp thông tin đăng nhập thì không thể giao dịch hay rút tiền. Cả hai nằm trong mục Bảo mật.',
    },
  },
  {
    id: 'open-protocols',
    url: '/docs',
    imageurl: '/icons/sol.svg',
    title: {
      en: 'Bring your own tools',
      cn: '使用您慣用的工具',
      zhHans: '使用您惯用的工具',
      german: 'Nutzen Sie Ihre eigenen Werkzeuge',
      ja: '使い慣れたツールで',
      spanish: 'Trae tus propias herramientas',
      vi: 'Dùng công cụ quen thuộc của bạn',
    },
    body: {
      en: 'Market data speaks the OKX v5 protocol over REST and websocket, and charts speak TradingView UDF. Every call is documented.',
      cn: '行情資料採用 OKX v5 協定，支援 REST 與 WebSocket；圖表採用 TradingView UDF。每個介面都有文件。',
      zhHans: '行情数据采用 OKX v5 协议，支持 REST 与 WebSocket；图表采用 TradingView UDF。每个接口都有文档。',
      german:
        'Marktdaten gibt es im OKX-v5-Protokoll über REST und WebSocket, Charts über TradingView UDF. Jeder Aufruf ist dokumentiert.',
      ja: '市場データはOKX v5プロトコル（RESTとWebSocket）、チャートはTradingView UDFに対応。すべての呼び出しを文書化しています。',
      spanish:
        'Los datos de mercado hablan el protocolo OKX v5 por REST y websocket, y los gráficos, TradingView UDF. Cada llamada está documentada.',
      vi: 'Dữ liệu thị trường dùng giao thức OKX v5 qua REST và websocket, biểu đồ dùng TradingView UDF. Mọi lời gọi đều có tài liệu.',
    },
  },
];

/** @param now of the first start, ms: that day's news */
export function news(now: number): StoredContent<'news'> {
  return { items: articles.map((article) => ({ ...article, published_at: now, pinned: false })) };
}
