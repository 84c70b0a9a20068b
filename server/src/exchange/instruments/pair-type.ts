/** MAIN: the large coins of their own chains. ETH: tokens of the Ethereum ecosystem. ALT: the others. */
export const pairTypes = ['MAIN', 'ETH', 'ALT'] as const;
export type PairType = (typeof pairTypes)[number];
