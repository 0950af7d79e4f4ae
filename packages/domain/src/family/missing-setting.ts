import { z } from 'zod';

/** Of an option that consoles offer: what its operator has to do first. */
export const MissingSetting = z
  .string()
  .optional()
  .describe('The variable that the operator of this server has to set before it can be used. Absent: it can be used');
