import { describe, expect, it } from 'vitest';
import { withoutSchemas } from './without-schemas.ts';

describe('the contract in the built page', () => {
  it('keeps what the typed calls read: methods, path, the name on the socket, access and whether a call carries secrets', () => {
    const { transform } = withoutSchemas() as unknown as { transform(code: string, id: string): { code: string } };
    const code = `export const login = defineCall({
      methods: ['POST'], path: '/api/v3/login', op: 'place', access: 'public', tag, body: z.object({}), sensitive: true,
    });`;
    expect(transform(code, '/contract/src/accounts.ts').code).toBe(
      "export const login = defineCall({ methods: ['POST'], path: '/api/v3/login', op: 'place', access: 'public', sensitive: true });",
    );
  });
});
