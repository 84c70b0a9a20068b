/** What follows from the declarations of wallets. */
import { type TransferableWallet, WALLETS, type WalletDeclaration, type WalletName } from './wallets.ts';

const declared: readonly WalletDeclaration[] = WALLETS;

/** The wallets whose contents belong to their owner: a client's total is their sum. */
export const OWNED_WALLETS = declared.filter(({ inTotals }) => inTotals) as readonly (WalletDeclaration & {
  readonly name: WalletName;
})[];

export const TRANSFERABLE_WALLETS = declared.filter(({ transfers }) => transfers) as readonly (WalletDeclaration &
  Required<Pick<WalletDeclaration, 'transfers'>> & { readonly name: TransferableWallet })[];

const owned: ReadonlySet<number> = new Set(OWNED_WALLETS.map(({ number }) => number));

/** Whether what is in a wallet belongs to its owner. */
export const isOwned = (wallet: number): boolean => owned.has(wallet);

export const transferableNamed = (name: TransferableWallet): (typeof TRANSFERABLE_WALLETS)[number] =>
  TRANSFERABLE_WALLETS.find((wallet) => wallet.name === name)!;

export const walletNamed = (name: WalletName): (typeof OWNED_WALLETS)[number] =>
  OWNED_WALLETS.find((wallet) => wallet.name === name)!;

export const isTransferable = (name: WalletName): name is TransferableWallet =>
  TRANSFERABLE_WALLETS.some((wallet) => wallet.name === name);
