/** The same book and trades drawn the obvious way: every message makes both tables anew. */
export const NAIVE_PAGE = `<!doctype html>
<meta charset="utf-8"><title>Naive</title>
<style>body{font:12px sans-serif;background:#10141c;color:#e8ecf2;display:grid;grid-template-columns:330px 260px;gap:8px}
table{width:100%}td{text-align:right;height:23px}</style>
<table id="book"></table><table id="trades"></table>
<script>
let asks = new Map(), bids = new Map(), trades = [];
const apply = (side, levels) => {
  const next = new Map(side);
  for (const [price, size] of levels) Number(size) === 0 ? next.delete(price) : next.set(price, size);
  return next;
};
const rows = (side, up) => {
  let total = 0;
  const sorted = [...side].sort(([a], [b]) => up ? a - b : b - a).slice(0, 20);
  const sum = sorted.reduce((all, [, size]) => all + Number(size), 0);
  return sorted.map(([price, size]) => {
    total += Number(size);
    return '<tr><td>' + Number(price).toLocaleString('en', { minimumFractionDigits: 1 }) + '<td>' +
      Number(size).toLocaleString('en', { minimumFractionDigits: 5 }) + '<td>' + total.toFixed(5) + '<td>' +
      (Number(size) / sum * 100).toFixed(1) + '%';
  }).join('');
};
const socket = new WebSocket(location.origin.replace('http', 'ws') + '/ws/v5/public');
const args = ['books', 'trades'].map((channel) => ({ channel, instId: 'BTC-USDT' }));
socket.onopen = () => socket.send(JSON.stringify({ op: 'subscribe', args }));
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (!message.data) return;
  if (message.arg.channel === 'books') {
    for (const change of message.data) {
      asks = apply(asks, change.asks);
      bids = apply(bids, change.bids);
    }
    document.getElementById('book').innerHTML = rows(asks, true) + rows(bids, false);
  } else {
    trades = [...message.data, ...trades].slice(0, 100);
    document.getElementById('trades').innerHTML = trades.slice(0, 50).map((trade) =>
      '<tr><td>' + Number(trade.px).toLocaleString('en') + '<td>' + trade.sz + '<td>' +
      new Date(Number(trade.ts)).toLocaleTimeString('en')).join('');
  }
};
</script>`;
