import { requireMayFreeTargets } from '../connections/sync/index.ts';
import {
  finishOrders,
  isUnfinished,
  requireFinishedOrders,
  requireFinishedOrdersIn,
} from '../pki/certificate-order/index.ts';
import { deleteAuthoritiesOf } from '../pki/revocation/index.ts';
import type { OrganizationEnd } from '../organizations/organization/delete.ts';
import type { ProjectEnd } from '../projects/project/project.service.ts';
import { deleteSshAuthoritiesOf } from '../ssh/authority/index.ts';

/** What all areas check before an organization is deleted, for `deleteOrganization`. */
export const endOfOrganization: OrganizationEnd = requireFinishedOrdersIn;

/** What all areas check and do before a project is deleted, for `deleteProject`. */
export const endOfProject: ProjectEnd = {
  requireMayEnd: requireMayFreeTargets,
  async end(tx, project) {
    await requireFinishedOrders(tx, project);
    await deleteAuthoritiesOf(tx, project);
    await deleteSshAuthoritiesOf(tx, project);
  },
  async finish(ctx, project, refusal) {
    if (!isUnfinished(refusal)) return false;
    await finishOrders(ctx, project);
    return true;
  },
};
