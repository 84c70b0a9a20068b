import { t } from '../../../lib/i18n.ts';

interface Customer {
  readonly client_id: number | null;
  readonly name: string;
  readonly email: string;
}

/** Who wrote: a client by the address of the account; what a visitor says about himself stands in quotes. */
export function customerLabel({ client_id, name, email }: Customer): string {
  if (client_id !== null) return email || t('Customer');
  const own = email || name;
  return own === '' ? t('Visitor') : `${t('Visitor')} “${own}”`;
}
