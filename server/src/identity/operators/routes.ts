/** The page behind the link of `npm run operator`. */
import { visibleText } from '@cambist/contract/email.ts';
import { readOperatorLink, useOperatorLink } from '@cambist/contract/operators.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { OperatorLinks } from './service.ts';

const invalid = new Refusal(404, 'LINK_INVALID', 'This link is no longer valid. Request a new one.');

function stolenPassword(): Refusal {
  const message = say('This password has appeared in a data breach. Choose another one.');
  return new Refusal(422, 'STOLEN_PASSWORD', message, {}, [{ field: 'password', message }]);
}

export function serveOperatorLinks(calls: CallServer, links: OperatorLinks): void {
  calls.serve(readOperatorLink, async ({ body }) => {
    const link = await links.read(body.token);
    return link === undefined ? invalid : { email: visibleText(link.email), expires_at: link.expires_at };
  });

  calls.serve(useOperatorLink, async ({ body, http }) => {
    const done = await links.use(body.token, body.password, body.transaction_password, http.ip);
    if (done === 'stolen-password') return stolenPassword();
    return done === 'invalid' ? invalid : { message: 'success' as const };
  });
}
