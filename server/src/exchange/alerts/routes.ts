import { ALERTS_PER_CLIENT, alerts, createAlert, deleteAlert, triggeredAlerts } from '@cambist/contract/alerts.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { AlertError, Alerts } from './service.ts';

const notFound = new Refusal(404, 'ALERT_NOT_FOUND', say('There is no such alert.'));

function refusalOf(error: AlertError): Refusal {
  switch (error.kind) {
    case 'unknown-pair':
      return new Refusal(404, 'UNKNOWN_PAIR', say('There is no pair called {{name}}.', { name: error.name }));
    case 'invalid-price':
      return new Refusal(
        422,
        'INVALID_PRICE',
        say('Enter a price above zero with at most {{decimals}} decimal places.', { decimals: error.decimals }),
      );
    case 'reached':
      return new Refusal(
        422,
        'PRICE_REACHED',
        say('The price has already been reached: the last trade was at {{price}}.', { price: error.price }),
      );
    case 'too-many':
      return new Refusal(
        422,
        'TOO_MANY_ALERTS',
        say('You can have at most {{maximum}} alerts. Delete one first.', { maximum: ALERTS_PER_CLIENT }),
      );
  }
}

export function serveAlerts(calls: CallServer, service: Alerts): void {
  calls.serve(createAlert, async ({ body, identity }) => {
    const created = await service.create(identity.clientId, body);
    return 'kind' in created ? refusalOf(created) : { message: 'success' as const, alert: created };
  });
  calls.serve(alerts, async ({ query, identity }) => ({
    alerts: await service.list(identity.clientId, query),
  }));
  calls.serve(triggeredAlerts, async ({ query, identity }) => ({
    triggerings: await service.triggerings(identity.clientId, query),
  }));
  calls.serve(deleteAlert, async ({ params, identity }) =>
    (await service.remove(identity.clientId, params.id)) ? { message: 'success' as const } : notFound,
  );
}
