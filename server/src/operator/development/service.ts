/** The accounts that development has from its first start. Their passwords are in the documents. */
export const demoAccounts = [
  { who: 'demo trader', email: 'trader@cambist.test', password: 'trade-the-demo', pin: 'demo-order', role: 'client' },
  {
    who: 'operator',
    email: 'operator@cambist.test',
    password: 'operate-the-demo',
    pin: 'demo-operator',
    role: 'operator',
  },
] as const;
