/** The reference: Fastify with one POST, its body validated by schema, and a small answer. Nothing else. */
import Fastify from 'fastify';

const app = Fastify();
const schema = {
  body: {
    type: 'object',
    required: ['symbol', 'side', 'type', 'price', 'quantity'],
    properties: {
      symbol: { type: 'string', maxLength: 24 },
      side: { enum: ['BUY', 'SELL'] },
      type: { enum: ['limit', 'market'] },
      price: { type: 'string', maxLength: 40 },
      quantity: { type: 'string', maxLength: 40 },
    },
  },
};
app.post('/api/v3/orders', { schema }, async () => ({ message: 'success' }));
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.(Number(new URL(address).port));
process.once('message', () => process.exit(0));
