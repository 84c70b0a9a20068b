/** A cold machine: its folder with a seed and a policy, and requests of refills for it. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRequest } from '../funds/chains/refill-files.ts';
import { coldSign } from './cold.ts';
import { initialize } from './folder.ts';

export const HOT = '0xb0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b000bb';
export const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
export const TERMS = {
  format: 'evm' as const,
  chainId: 1,
  nonce: 0,
  gas: 65_000n,
  maxFeePerGas: 3n * 10n ** 9n,
  maxPriorityFeePerGas: 8n,
};

const newFolder = () => mkdtempSync(join(tmpdir(), 'cambist-cold-'));

export class ColdMachine {
  /** A machine that was just set up. The seed of each test would take half a second to encrypt. */
  readonly #template = newFolder();
  #folder = this.#template;
  /** The output of its setup. */
  readonly shown: string;
  /** Its wallet of ERC20. */
  readonly own: string;

  constructor() {
    writeFileSync(this.path('passphrase'), 'a long passphrase\n');
    this.shown = initialize(this.settings);
    this.own = (/Wallet of ERC20: (0x[0-9a-fA-F]{40})/.exec(this.shown)?.[1] ?? '').toLowerCase();
  }

  /** Begins anew: the same seed, the usual policy, and nothing signed. */
  reset(): void {
    this.#discard();
    this.#folder = newFolder();
    cpSync(this.#template, this.#folder, { recursive: true });
    this.policy();
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  get settings() {
    return {
      folder: this.path('cold'),
      passphraseFile: this.path('passphrase'),
      listen: '',
      bitcoin: 'mainnet' as const,
    };
  }

  request(change: object = {}) {
    const asked = { request: 'book:refill:1', network: 'ERC20' as const, from: this.own, to: HOT, contract: TOKEN };
    return { ...asked, units: 5_000_000n, terms: TERMS, ...change };
  }

  async sign(change: object = {}): Promise<string> {
    writeFileSync(this.path('refill-1.json'), writeRequest(this.request(change)));
    return coldSign(this.settings, this.path('refill-1.json'));
  }

  policy(change: object = {}): void {
    const coins = [
      { contract: null, most_per_payment: '100', most_per_day: '100' },
      { contract: TOKEN, most_per_payment: '9000000', most_per_day: '90000000', name: 'USDT', decimals: 6 },
    ];
    const erc20 = {
      format: 'evm',
      chain_id: 1,
      fee_cap: '10000000000000000',
      most_fees_per_day: '1000000000000000000000000',
      coins,
      only_to: HOT,
      ...change,
    };
    writeFileSync(this.path('cold/policy.json'), JSON.stringify({ networks: { ERC20: erc20 } }));
  }

  remove(): void {
    this.#discard();
    rmSync(this.#template, { recursive: true, force: true });
  }

  #discard(): void {
    if (this.#folder !== this.#template) rmSync(this.#folder, { recursive: true, force: true });
  }
}
