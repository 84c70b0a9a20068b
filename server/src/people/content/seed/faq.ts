/** The four questions that newcomers ask first. */
import type { StoredContent } from '@cambist/contract/content.ts';

export const faq: StoredContent<'faq'> = {
  items: [
    {
      id: 'open-account',
      question: {
        en: 'How do I open an account?',
        cn: '如何開立帳戶？',
        zhHans: '如何开立账户？',
        german: 'Wie eröffne ich ein Konto?',
        ja: 'アカウントはどのように開設しますか？',
        spanish: '¿Cómo abro una cuenta?',
        vi: 'Làm thế nào để mở tài khoản?',
      },
      answer: {
        en: 'Choose Sign up, enter your email address and the six-digit code that we send to it, and set two passwords: one to log in, one to confirm orders and withdrawals. It takes about two minutes.',
        cn: '點選「註冊」，輸入電子郵件地址與我們寄出的六位數驗證碼，再設定兩組密碼：一組用於登入，一組用於確認下單與提現。全程約兩分鐘。',
        zhHans:
          '点击“注册”，输入邮箱和我们发送的六位验证码，再设置两组密码：一组用于登录，一组用于确认下单和提现。全程约两分钟。',
        german:
          'Wählen Sie „Registrieren“, geben Sie Ihre E-Mail-Adresse und den sechsstelligen Code ein, den wir dorthin senden, und legen Sie zwei Passwörter fest: eines für die Anmeldung, eines zum Bestätigen von Orders und Auszahlungen. Das dauert etwa zwei Minuten.',
        ja: '「新規登録」を選び、メールアドレスとそこに届く6桁のコードを入力し、パスワードを2つ設定します。1つはログイン用、もう1つは注文と出金の確認用です。2分ほどで完了します。',
        spanish:
          'Elige Registrarse, introduce tu correo electrónico y el código de seis dígitos que te enviamos, y establece dos contraseñas: una para iniciar sesión y otra para confirmar órdenes y retiros. Se tarda unos dos minutos.',
        vi: 'Chọn Đăng ký, nhập địa chỉ email và mã sáu chữ số chúng tôi gửi đến, rồi đặt hai mật khẩu: một để đăng nhập, một để xác nhận lệnh và rút tiền. Quá trình mất khoảng hai phút.',
      },
    },
    {
      id: 'deposit',
      question: {
        en: 'How do I deposit?',
        cn: '如何充值？',
        zhHans: '如何充值？',
        german: 'Wie zahle ich ein?',
        ja: '入金するにはどうすればよいですか？',
        spanish: '¿Cómo hago un depósito?',
        vi: 'Làm thế nào để nạp tiền?',
      },
      answer: {
        en: 'Open Wallet, choose Deposit, then the coin and the network, and send to the address that is shown. Use the same network on both sides: coins sent over another one may be lost. The page says how many confirmations it takes until the amount is credited and until it can be withdrawn.',
        cn: '開啟「錢包」並選擇「充值」，再選幣種與網路，將資產轉至頁面顯示的地址。兩端須使用相同網路，經其他網路轉出的資產可能遺失。頁面會說明入帳與可提現各需多少次確認。',
        zhHans:
          '打开“钱包”并选择“充值”，再选择币种和网络，将资产转至页面显示的地址。两端须使用相同网络，经其他网络转出的资产可能丢失。页面会说明到账与可提现各需多少次确认。',
        german:
          'Öffnen Sie die Wallet, wählen Sie „Einzahlen“, dann Coin und Netzwerk, und senden Sie an die angezeigte Adresse. Verwenden Sie auf beiden Seiten dasselbe Netzwerk: Über ein anderes gesendete Coins können verloren gehen. Die Seite zeigt, nach wie vielen Bestätigungen der Betrag gutgeschrieben und auszahlbar ist.',
        ja: '「ウォレット」から「入金」を選び、コインとネットワークを指定して、表示されたアドレスに送ります。送受の両側で同じネットワークを使ってください。別のネットワークで送ると失われることがあります。反映と出金可能までに必要な承認数はページに表示されます。',
        spanish:
          'Abre Billetera, elige Depositar, después la moneda y la red, y envía a la dirección que se muestra. Usa la misma red en ambos lados: lo enviado por otra puede perderse. La página indica cuántas confirmaciones hacen falta para acreditar el importe y para poder retirarlo.',
        vi: 'Mở Ví, chọn Nạp, rồi chọn coin và mạng, sau đó gửi đến địa chỉ hiển thị. Hãy dùng cùng một mạng ở cả hai phía: coin gửi qua mạng khác có thể bị mất. Trang này nêu rõ cần bao nhiêu xác nhận để ghi có và để có thể rút.',
      },
    },
    {
      id: 'fees',
      question: {
        en: 'What does trading cost?',
        cn: '交易費用是多少？',
        zhHans: '交易费用是多少？',
        german: 'Was kostet der Handel?',
        ja: '取引にはいくらかかりますか？',
        spanish: '¿Cuánto cuesta operar?',
        vi: 'Phí giao dịch là bao nhiêu?',
      },
      answer: {
        en: 'The Fee Rates page shows your rates for orders that wait in the book (maker) and orders that take from it (taker). A fee is taken from what you receive, and the order form shows it before you confirm. There are no other costs of trading.',
        cn: '「手續費率」頁面顯示您的 Maker（掛單）與 Taker（吃單）費率。手續費從您收到的資產中扣除，確認前會在下單表單中顯示。交易沒有其他費用。',
        zhHans:
          '“手续费率”页面显示您的 Maker（挂单）与 Taker（吃单）费率。手续费从您收到的资产中扣除，确认前会在下单表单中显示。交易没有其他费用。',
        german:
          'Die Seite „Gebührensätze“ zeigt Ihre Sätze für Orders, die im Orderbuch liegen (Maker), und solche, die daraus ausgeführt werden (Taker). Die Gebühr wird von dem abgezogen, was Sie erhalten, und steht vor der Bestätigung im Orderformular. Weitere Handelskosten gibt es nicht.',
        ja: '「手数料率」ページに、板に並ぶ注文（メイカー）と板から取る注文（テイカー）の料率が表示されます。手数料は受け取る資産から差し引かれ、確定前に注文フォームに表示されます。ほかに取引費用はありません。',
        spanish:
          'La página Comisiones muestra tus tarifas para las órdenes que quedan en el libro (maker) y las que se ejecutan contra él (taker). La comisión se descuenta de lo que recibes, y el formulario la muestra antes de que confirmes. Operar no tiene otros costes.',
        vi: 'Trang Mức phí cho biết mức phí của bạn với lệnh nằm trong sổ lệnh (maker) và lệnh khớp ngay (taker). Phí được trừ vào phần bạn nhận, và biểu mẫu đặt lệnh hiển thị phí trước khi bạn xác nhận. Ngoài ra không có chi phí giao dịch nào khác.',
      },
    },
    {
      id: 'safety',
      question: {
        en: 'How is my account protected?',
        cn: '我的帳戶如何受到保護？',
        zhHans: '我的账户如何受到保护？',
        german: 'Wie ist mein Konto geschützt?',
        ja: 'アカウントはどのように守られていますか？',
        spanish: '¿Cómo está protegida mi cuenta?',
        vi: 'Tài khoản của tôi được bảo vệ như thế nào?',
      },
      answer: {
        en: 'A second password confirms every order and withdrawal, sessions are listed and can be ended, and passwords are stored only as hashes. Every balance is kept by double entry and compared with the ledger all the time. We never ask for a password or a code by email, phone or chat.',
        cn: '每筆下單與提現都需第二組密碼確認；登入工作階段可查看並可隨時終止；密碼僅以雜湊形式儲存。每筆餘額皆以複式記帳，並持續與帳本核對。我們絕不會透過郵件、電話或聊天向您索取密碼或驗證碼。',
        zhHans:
          '每笔下单与提现都需第二组密码确认；登录会话可查看并可随时终止；密码仅以哈希形式存储。每笔余额都采用复式记账，并持续与账本核对。我们绝不会通过邮件、电话或聊天向您索取密码或验证码。',
        german:
          'Ein zweites Passwort bestätigt jede Order und jede Auszahlung, Sitzungen sind aufgelistet und lassen sich beenden, und Passwörter werden nur als Hash gespeichert. Jedes Guthaben ist doppelt gebucht und wird laufend mit dem Hauptbuch abgeglichen. Wir fragen nie per E-Mail, Telefon oder Chat nach einem Passwort oder Code.',
        ja: '注文と出金は第2のパスワードで確認し、セッションは一覧からいつでも終了でき、パスワードはハッシュとしてのみ保存されます。残高は複式簿記で管理され、台帳と常に照合されます。メール、電話、チャットでパスワードやコードをお尋ねすることは決してありません。',
        spanish:
          'Una segunda contraseña confirma cada orden y cada retiro, las sesiones se muestran y se pueden cerrar, y las contraseñas solo se guardan como hash. Cada saldo se lleva por partida doble y se compara con el libro contable en todo momento. Nunca pedimos contraseñas ni códigos por correo, teléfono o chat.',
        vi: 'Mật khẩu thứ hai xác nhận mọi lệnh và lần rút tiền; các phiên đăng nhập được liệt kê và có thể kết thúc; mật khẩu chỉ được lưu dưới dạng băm. Mọi số dư được ghi theo bút toán kép và liên tục đối chiếu với sổ cái. Chúng tôi không bao giờ hỏi mật khẩu hay mã qua email, điện thoại hoặc trò chuyện.',
      },
    },
  ],
};
