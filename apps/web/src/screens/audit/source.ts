import type { AuditLogPage, Inputs } from '@coffer/client';
import { coffer } from '../../app/session.ts';

/** What a log is asked for, whichever it is. */
export type LogInput = Inputs['instanceManagement']['auditLog'];

/** A log: of a project, the organization, or the instance. */
export interface LogSource {
  /** Names it among the queries. */
  readonly key: readonly string[];
  readonly read: (input: LogInput, signal: AbortSignal) => Promise<AuditLogPage>;
  /** Whether events are of several projects. */
  readonly hasProjects?: boolean;
}

export const logOfProject = (projectId: string): LogSource => ({
  key: ['project', projectId],
  read: (input, signal) => coffer.auditLog.list.query({ ...input, projectId }, { signal }),
});

export const logOfOrganization: LogSource = {
  key: ['organization'],
  read: (input, signal) => coffer.auditLog.list.query(input, { signal }),
  hasProjects: true,
};

/** What belongs to no organization. */
export const logOfInstance: LogSource = {
  key: ['instance'],
  read: (input, signal) => coffer.instanceManagement.auditLog.query(input, { signal }),
};
