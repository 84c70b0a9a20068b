/** The engine with the tables of the exchange: what the app and the tests start alike. */
import { instrumentProjection } from '../instruments/projection.ts';
import { ledgerProjection } from '../ledger/projection.ts';
import { orderProjection } from '../orders/projection.ts';
import { restoreUntriggered } from '../orders/recovery.ts';
import { type Engine, type EngineDeps, startEngine } from './engine.ts';

export function startExchangeEngine(deps: Omit<EngineDeps, 'parts' | 'restores'>): Promise<Engine> {
  return startEngine({
    ...deps,
    parts: [instrumentProjection, ledgerProjection, orderProjection],
    restores: (views) => [restoreUntriggered(deps.database.patient, views)],
  });
}
