/** Writes a projection run in one transaction of bulk statements, exactly once. */
import { ConstraintViolation, type Database } from '../../platform/database.ts';
import type { ProjectionRun } from './projection.ts';

export interface ProjectionStore {
  write(run: ProjectionRun): Promise<void>;
}

export function createProjectionStore(database: Database): ProjectionStore {
  return {
    async write(run) {
      try {
        await database.transaction(run.statements());
      } catch (error) {
        // A lost acknowledgement: the run is there already.
        if (!(error instanceof ConstraintViolation)) throw error;
        const [row] = await database.query<{ batch: number }>('SELECT batch FROM projection');
        if (row?.batch !== run.toBatch) throw error;
      }
    },
  };
}
