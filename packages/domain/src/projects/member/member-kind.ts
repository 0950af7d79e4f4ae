import {
  authorize,
  FOREVER,
  lastEndOf,
  organizationOf,
  publishWindow,
  requireAuthorityOverHolders,
  requireMayEndPrivileges,
  requireMayGiveRoles,
  requireNoEscalation,
} from '../../access/index.ts';
import { requireMayGiveMachineRights, requireMayLetIn } from '../../access/approval-policy/index.ts';
import {
  addMembers,
  invalidateHolder,
  keepingAnAdmin,
  lockOrganization,
  MembershipEntity,
  recordedRoles,
  replaceRoles,
  rolesToGive,
  type ChangedRole,
  type MembershipRoleEntity,
  type RoleAssignment,
} from '../../access/membership/index.ts';
import {
  inTransaction,
  isId,
  notFound,
  record,
  type Context,
  type EventType,
  type PermissionSet,
  type Transaction,
} from '../../kernel/index.ts';

/** Who can hold a membership of a project, by the column that names it. */
export type Holder = 'userId' | 'identityId' | 'groupId';

/** The published form of a project membership without its roles. */
export type MemberRef<H extends Holder> = Record<H, string> & {
  id: string;
  projectId: string;
  createdAt: Date;
  updatedAt: Date;
};

type MemberEvent<H extends Holder> = Record<H, string> & { membershipId: string };
type RolesEvent<H extends Holder> = MemberEvent<H> & ReturnType<typeof recordedRoles>;

/** A member of a project, identified by its membership or by its holder. */
type Named<H extends Holder> = { readonly projectId: string } & (
  | { readonly membershipId: string }
  | Readonly<Record<H, string>>
);
type NamedByHolder<H extends Holder> = { readonly projectId: string } & Readonly<Record<H, string>>;

/** The declaration of one kind of project members. */
export interface MemberKind<H extends Holder> {
  readonly holder: H;
  readonly permissions: PermissionSet<'create' | 'edit' | 'delete' | 'grant-privileges' | 'assign-role'>;
  readonly events: {
    readonly added: EventType<RolesEvent<H>>;
    readonly rolesChanged: EventType<RolesEvent<H>>;
    readonly removed: EventType<MemberEvent<H>>;
  };
  /** Finds an actor of the caller's organization by its ID; throws 404 for any other. */
  readonly find?: (tx: Transaction, holderId: string) => Promise<unknown>;
  /** Checks the right to assign forbidding roles to members of this kind. */
  readonly requireMayForbid: (
    tx: Transaction,
    place: { organizationId: string; projectId: string },
    roles: readonly RoleAssignment[],
    holderIds: readonly string[],
  ) => Promise<void>;
  /** Further checks before a member's roles end; `roles` are the new ones, if any. */
  readonly beforeRolesEnd?: (
    tx: Transaction,
    membership: MembershipEntity,
    roles: readonly RoleAssignment[],
  ) => Promise<void>;
}

/** What all kinds of members of projects have in common: how they come, what roles they get, and how they go. */
export const defineMembers = <H extends Holder>(kind: MemberKind<H>): Members<H> => new Members(kind);

class Members<H extends Holder> {
  readonly #kind: MemberKind<H>;

  constructor(kind: MemberKind<H>) {
    this.#kind = kind;
  }

  /**
   * Adds an actor of the organization to a project.
   *
   * @throws DomainError 403 `PermissionBoundaryError` if its roles allow more than the caller may do, and as
   * `requireMayLetIn`; 400 `memberships_…_unique` if it is a member already, and if a group forbids something to the
   * last administrator without forbidding rules; 404 for an unknown actor or role.
   */
  async add(ctx: Context, named: NamedByHolder<H>, roles: readonly RoleAssignment[]): Promise<MemberRef<H>> {
    const { holder, permissions, find } = this.#kind;
    const { projectId } = named;
    await authorize(ctx, permissions.create, named);
    await requireMayGiveRoles(ctx, permissions, named, roles);
    return inTransaction(ctx, async (tx) => {
      await requireNoEscalation(tx, { organizationId: organizationOf(tx), projectId, until: FOREVER, roles });
      await lockOrganization(tx);
      await find?.(tx, named[holder]);
      return keepingAnAdmin(tx, organizationOf(tx), projectId, async () => {
        const [added] = await this.addAll(tx, projectId, [named[holder]], roles);
        return added!;
      });
    });
  }

  /** Adds some who are known and may be added. */
  async addAll(
    tx: Transaction,
    projectId: string,
    holderIds: readonly string[],
    roles: readonly RoleAssignment[],
  ): Promise<MemberRef<H>[]> {
    const { holder, events, requireMayForbid } = this.#kind;
    const organizationId = organizationOf(tx);
    await requireMayLetIn(tx, { holderIds, projectIds: [projectId], until: lastEndOf(roles) });
    await requireMayForbid(tx, { organizationId, projectId }, roles, holderIds);
    const holders = holderIds.map((id) => ({ [holder]: id }));
    const added = await addMembers(tx, { organizationId, projectId, roles }, holders);
    await tx.em.flush();
    for (const one of added)
      record(tx, events.added, { ...this.#eventOf(one), ...recordedRoles(roles) }, { projectId });
    return added.map((one) => this.#toRef(one));
  }

  /**
   * Changes the roles of a member.
   *
   * @throws DomainError 403 `PermissionBoundaryError` if the new or the previous roles allow more than the caller may
   * do; 400 if the project would have no administrator; 404 for an unknown role.
   */
  async changeRoles(ctx: Context, named: Named<H>, roles: readonly RoleAssignment[]): Promise<ChangedRole[]> {
    const organizationId = organizationOf(ctx);
    const { projectId } = named;
    const { permissions } = this.#kind;
    await authorize(ctx, permissions.edit, named);
    return inTransaction(ctx, (tx) =>
      keepingAnAdmin(tx, organizationId, projectId, async () => {
        const membership = await this.#load(tx, named);
        await requireMayGiveRoles(tx, permissions, named, await rolesToGive(tx, membership.id, roles));
        await this.#requireMayChangeRoles(tx, projectId, membership, roles);
        const assigned = await replaceRoles(tx, membership, roles);
        membership.updatedAt = tx.now();
        await tx.em.flush();
        const data = { ...this.#eventOf(membership), ...recordedRoles(roles) };
        record(tx, this.#kind.events.rolesChanged, data, { projectId });
        return assigned.map(toChangedRole);
      }),
    );
  }

  async #requireMayChangeRoles(
    tx: Transaction,
    projectId: string,
    membership: MembershipEntity,
    roles: readonly RoleAssignment[],
  ): Promise<void> {
    const { holder, requireMayForbid, beforeRolesEnd } = this.#kind;
    const organizationId = organizationOf(tx);
    await requireNoEscalation(tx, { organizationId, projectId, until: FOREVER, roles });
    const holderIds = [membership[holder]!];
    await requireMayGiveMachineRights(tx, { projectIds: [projectId], holderIds, until: lastEndOf(roles) });
    await this.#requireAuthorityOver(tx, projectId, [membership]);
    await requireMayForbid(tx, { organizationId, projectId }, roles, holderIds);
    await beforeRolesEnd?.(tx, membership, roles);
  }

  /**
   * Removes a member from a project.
   *
   * @throws DomainError 403 `PermissionBoundaryError` if it may do more there than the caller; 400 if no administrator
   * would be left.
   */
  async remove(ctx: Context, named: Named<H>): Promise<MemberRef<H>> {
    await authorize(ctx, this.#kind.permissions.delete, named);
    return inTransaction(ctx, (tx) =>
      keepingAnAdmin(tx, organizationOf(tx), named.projectId, async () => {
        const [removed] = await this.removeAll(tx, named.projectId, [await this.#load(tx, named)]);
        return removed!;
      }),
    );
  }

  /**
   * Removes members that may be removed, with the given event.
   *
   * @throws DomainError 403 `PermissionBoundaryError` if one of them may do more in the project than the caller, and if
   * that lifts denials of what the caller may not do.
   */
  async removeAll(
    tx: Transaction,
    projectId: string,
    memberships: readonly MembershipEntity[],
    event: EventType<MemberEvent<H>> = this.#kind.events.removed,
  ): Promise<MemberRef<H>[]> {
    const ids = memberships.map(({ id }) => id);
    await this.#requireAuthorityOver(tx, projectId, memberships);
    await requireMayEndPrivileges(tx, { organizationId: organizationOf(tx), projectId }, ids);
    for (const membership of memberships) {
      await this.#kind.beforeRolesEnd?.(tx, membership, []);
      tx.em.remove(membership);
      invalidateHolder(tx, membership);
      record(tx, event, this.#eventOf(membership), { projectId });
    }
    return memberships.map((one) => this.#toRef(one));
  }

  /** @throws DomainError 404 also for memberships of other kinds and of other projects. */
  async #load(tx: Transaction, { projectId, ...by }: Named<H>): Promise<MembershipEntity> {
    const { holder } = this.#kind;
    const [value] = Object.values(by) as [string];
    const who = 'membershipId' in by ? { id: value, [holder]: { $ne: null } } : { [holder]: value };
    const membership = isId(value)
      ? await tx.em.findOne(MembershipEntity, { organizationId: organizationOf(tx), projectId, ...who })
      : null;
    if (!membership) throw notFound('membership');
    return membership;
  }

  #requireAuthorityOver(tx: Transaction, projectId: string, memberships: readonly MembershipEntity[]): Promise<void> {
    const holderIds = memberships.map((membership) => membership[this.#kind.holder]!);
    return requireAuthorityOverHolders(tx, { organizationId: organizationOf(tx), holderIds, places: [projectId] });
  }

  #holderOf(membership: MembershipEntity): Record<H, string> {
    const { holder } = this.#kind;
    return { [holder]: membership[holder] } as Record<H, string>;
  }

  #eventOf(membership: MembershipEntity): MemberEvent<H> {
    return { ...this.#holderOf(membership), membershipId: membership.id };
  }

  #toRef(membership: MembershipEntity): MemberRef<H> {
    const { id, projectId, createdAt, updatedAt } = membership;
    return { ...this.#holderOf(membership), id, projectId: projectId!, createdAt, updatedAt };
  }
}

const toChangedRole = (row: MembershipRoleEntity): ChangedRole => ({
  id: row.id,
  role: row.role,
  projectMembershipId: row.membershipId,
  customRoleId: row.customRoleId ?? null,
  ...publishWindow(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
