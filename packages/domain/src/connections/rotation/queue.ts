import { orphanJob, reconcileJob } from '../../jobs/index.ts';
import { DomainError } from '../../kernel/index.ts';
import { perform } from './perform.ts';
import { rotationWork } from './work.ts';

/** Rotates, if that is due. */
export const rotationJob = reconcileJob(rotationWork, {
  attempt: async (ctx, { claim }) => {
    try {
      await perform(ctx, claim, { isManual: false });
    } catch (error) {
      // It was deleted, or another worker has it.
      if (!(error instanceof DomainError)) throw error;
    }
  },
});

/** Requeues due rotations that were lost with a process. */
export const orphanedRotations = orphanJob(rotationWork, { name: 'secret_rotation.overdue', schedule: '*/5 * * * *' });
