import { accessApprovalMail } from '../approvals/index.ts';
import { startSealer } from '../audit/index.ts';
import type { Coffer } from './coffer.ts';
import type { RootKey } from '../crypto/index.ts';
import { auditSigningKey } from '../instance/index.ts';
import { startWorker, type AnyJob } from '../jobs/index.ts';
import { maintenanceJobs, verifyAuditLog } from '../jobs/maintenance/index.ts';
import { invitationMail } from '../invitations/index.ts';
import { acmeCleanup, validateJob } from '../pki/acme/index.ts';
import { endingAuthorities, renewAuthorityJob } from '../pki/authority/index.ts';
import { dueCertificates, renewCertificateJob } from '../pki/certificate/index.ts';
import {
  dueExternalCertificates,
  orphanedOrders,
  renewExternalCertificateJob,
  runOrder,
} from '../pki/certificate-order/index.ts';
import { dueSubscribers, renewSubscriberJob } from '../pki/subscriber/index.ts';
import { orphanedPkiSyncs, runPkiSync } from '../pki/sync/index.ts';
import { checkConnection, connectionCheckMail, overdueChecks } from '../connections/app-connection/index.ts';
import { orphanedRotations, rotationFailedMail, rotationJob } from '../connections/rotation/index.ts';
import { followChanges, orphanedSyncs, runSync } from '../connections/sync/index.ts';
import { alertDelivery, evaluateAlert, evaluateAlerts, orphanedDeliveries } from '../pki/alert/index.ts';
import { dueLists, dueResponders, makeDueResponder, reapRetiredKeys, rebuildList } from '../pki/revocation/index.ts';
import { administratorsMail, projectMemberMail } from '../projects/member/index.ts';
import { secretApprovalMail } from '../secrets/approval/index.ts';
import { secretsChanged } from '../secrets/commit/index.ts';
import { orphanedLeases, leaseJob } from '../secrets/dynamic/index.ts';
import { overdueReplications, replicate, replicationJob } from '../secrets/import/index.ts';
import { reminderMail, reminders } from '../secrets/reminder/index.ts';
import { orphanedWebhooks, collectJob, sendWebhooks, webhookJob } from '../secrets/webhook/index.ts';
import { formerSshKeys } from '../ssh/authority/index.ts';
import {
  dueSshHostCertificates,
  endedSshLogins,
  endSshLogins,
  lostSshCertificates,
  renewSshHostCertificateJob,
} from '../ssh/host/index.ts';
import { destroyKmsKeys, dueKmsKeys, rotateKmsKeyJob } from '../kms/key/index.ts';
import { passwordResetMail } from '../users/recovery/index.ts';
import { signUpMail } from '../instance/sign-up/index.ts';

export interface Background {
  /** Finishes the running jobs, seals the settled events, and stops. Call it before closing the Coffer. */
  stop(): Promise<void>;
}

/** Jobs of the areas, registered for the worker. */
export const jobs: readonly AnyJob[] = [
  invitationMail,
  administratorsMail,
  projectMemberMail,
  reminderMail,
  reminders,
  passwordResetMail,
  signUpMail,
  secretApprovalMail,
  accessApprovalMail,
  leaseJob,
  orphanedLeases,
  runSync,
  orphanedSyncs,
  checkConnection,
  connectionCheckMail,
  overdueChecks,
  rotationJob,
  orphanedRotations,
  rotationFailedMail,
  replicationJob,
  overdueReplications,
  endingAuthorities,
  renewAuthorityJob,
  dueCertificates,
  renewCertificateJob,
  runOrder,
  orphanedOrders,
  dueExternalCertificates,
  renewExternalCertificateJob,
  dueSubscribers,
  renewSubscriberJob,
  runPkiSync,
  orphanedPkiSyncs,
  dueSshHostCertificates,
  renewSshHostCertificateJob,
  endedSshLogins,
  endSshLogins,
  lostSshCertificates,
  formerSshKeys,
  webhookJob,
  collectJob,
  orphanedWebhooks,
  validateJob,
  acmeCleanup,
  rebuildList,
  dueLists,
  dueResponders,
  makeDueResponder,
  reapRetiredKeys,
  alertDelivery,
  orphanedDeliveries,
  evaluateAlert,
  evaluateAlerts,
  rotateKmsKeyJob,
  dueKmsKeys,
  destroyKmsKeys,
  secretsChanged([replicate, followChanges, sendWebhooks]),
];

/**
 * Starts what runs beside the requests: the sealer of the audit log, and the worker with its jobs and schedules. Every
 * process may; among them they share the work out.
 */
export async function startBackground(coffer: Coffer, rootKey: RootKey): Promise<Background> {
  const { pool, log } = coffer;
  const signingKey = await auditSigningKey(pool, rootKey);
  const worker = await startWorker(coffer, [...jobs, verifyAuditLog(pool), ...maintenanceJobs(coffer, signingKey)]);
  const sealer = startSealer({ pool, log, signingKey, now: () => coffer.now() });
  return {
    stop: async () => {
      await worker.stop();
      await sealer.stop();
    },
  };
}
