import { activeRotations } from '../connections/rotation/index.ts';
import { requireMayFreeTargets } from '../connections/sync/index.ts';
import { finishOrders, isUnfinished, unfinishedOrders } from '../pki/certificate-order/index.ts';
import { validCertificates } from '../pki/external-authority/index.ts';
import { deleteAuthoritiesOf, isUnprepared, prepareRetiring } from '../pki/revocation/index.ts';
import type { OrganizationEnd } from '../organizations/organization/delete.ts';
import { requireNoDeletionBlockers, type DeletionBlocker } from '../projects/project/index.ts';
import type { ProjectEnd } from '../projects/project/project.service.ts';
import { deleteSshAuthoritiesOf } from '../ssh/authority/index.ts';
import { leftElsewhere } from './left-elsewhere.ts';

/**
 * Besides leases, which the database keeps (`dynamic_secret_leases_stand`). Orders are last: they are finished where only they
 * are in the way.
 */
const BLOCKERS: readonly DeletionBlocker[] = [activeRotations, validCertificates, unfinishedOrders];

/** What all areas check before an organization is deleted, for `deleteOrganization`. */
export const endOfOrganization: OrganizationEnd = async (tx, organizationId) => {
  await requireNoDeletionBlockers(tx, { organizationId }, BLOCKERS);
  return leftElsewhere(tx, { organizationId });
};

/** What all areas check and do before a project is deleted, for `deleteProject`. */
export const endOfProject: ProjectEnd = {
  requireMayEnd: requireMayFreeTargets,
  async prepare(ctx, project) {
    const retiring = await prepareRetiring(ctx, project);
    return async (tx) => {
      await requireNoDeletionBlockers(tx, project, BLOCKERS);
      await deleteAuthoritiesOf(tx, project, retiring);
      await deleteSshAuthoritiesOf(tx, project);
      return leftElsewhere(tx, project);
    };
  },
  async finish(ctx, project, refusal) {
    if (isUnprepared(refusal)) return true;
    if (!isUnfinished(refusal)) return false;
    await finishOrders(ctx, project);
    return true;
  },
};
