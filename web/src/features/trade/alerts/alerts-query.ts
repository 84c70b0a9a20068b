import { alerts } from '@cambist/contract/alerts.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';

export const alertsQuery = queryOptions({
  queryKey: ['account', 'price-alerts'],
  queryFn: ({ signal }) => call(alerts, { query: { limit: 200 }, signal }),
});
