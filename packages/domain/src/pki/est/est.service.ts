import { authorizeById, unlessHidden } from '../../access/index.ts';
import { givenFields, eventOf, inTransaction, notFound, record, type Context } from '../../kernel/index.ts';
import { byTemplate, requireMayLetEnroll } from '../certificate/index.ts';
import {
  changeEstConfig,
  findEstConfig,
  insertEstConfig,
  preparePassphrase,
  requireAnchors,
  type StoredEstConfig,
} from '../est-config/index.ts';
import {
  certificateTemplatePermissions,
  findCertificateTemplate,
  lockPermittedTemplate,
  type CertificateTemplate,
} from '../template/index.ts';
import {
  estConfigCreated,
  estConfigRead,
  estConfigUpdated,
  type ChangedEstConfig,
  type CreateEstConfig,
  type EstConfig,
  type EstTemplateRef,
  type UpdateEstConfig,
} from './est.ts';

type Action = 'read' | 'edit';

/**
 * The template, if the caller has the permission on it.
 *
 * @throws DomainError 404, 403
 */
async function templateFor(ctx: Context, action: Action, id: string): Promise<CertificateTemplate> {
  const template = await findCertificateTemplate(ctx, id);
  const { projectId, name } = template;
  const asked = authorizeById(ctx, certificateTemplatePermissions[action], { projectId, name });
  await unlessHidden('certificate template', asked);
  return template;
}

/** The published form. */
const toEstConfig = (certificateTemplateId: string, { isOpen, ...config }: StoredEstConfig): EstConfig => ({
  ...config,
  certificateTemplateId,
  disableBootstrapCertValidation: isOpen,
});

const OPEN = 'disableBootstrapCertValidation';

/** @throws DomainError 404 where the template has none, too. */
export async function getEstConfig(ctx: Context, { certificateTemplateId: id }: EstTemplateRef): Promise<EstConfig> {
  const template = await templateFor(ctx, 'read', id);
  const config = await findEstConfig(ctx, template.id);
  if (!config) throw notFound('EST configuration');
  const event = eventOf(estConfigRead, { certificateTemplateId: id }, { projectId: template.projectId });
  await ctx.commitRead(event, ctx);
  return toEstConfig(template.id, config);
}

/**
 * Enables enrollment on a template.
 *
 * @throws DomainError 404, 403 also for callers who may not issue by it, 400
 */
export async function createEstConfig(ctx: Context, input: CreateEstConfig): Promise<ChangedEstConfig> {
  const template = await templateFor(ctx, 'edit', input.certificateTemplateId);
  const { id, projectId } = template;
  await requireMayLetEnroll(ctx, projectId, byTemplate(template));
  const { isEnabled, disableBootstrapCertValidation: isOpen, caChain = null } = input;
  requireAnchors({ isOpen, caChain }, OPEN);
  const { kept: passphrase, generated } = await preparePassphrase(ctx, input);
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPermittedTemplate(tx, id, certificateTemplatePermissions.edit);
    await requireMayLetEnroll(tx, projectId, byTemplate(locked));
    const place = { projectId, certificateTemplateId: id };
    const config = await insertEstConfig(tx, place, { isEnabled, passphrase, isOpen, caChain });
    record(tx, estConfigCreated, { certificateTemplateId: id, isEnabled }, { projectId });
    return { ...toEstConfig(id, config), passphrase: generated };
  });
}

/**
 * Updates the given fields. Disabling needs no permission to issue.
 *
 * @throws DomainError 404, 403 also for callers who may not issue by the template, 400
 */
export async function updateEstConfig(ctx: Context, input: UpdateEstConfig): Promise<ChangedEstConfig> {
  const template = await templateFor(ctx, 'edit', input.certificateTemplateId);
  const { id, projectId } = template;
  const { isEnabled, disableBootstrapCertValidation: isOpen, caChain } = input;
  const isNew = input.passphrase !== undefined || input.rotatePassphrase === true;
  const onlyEnds = isEnabled === false && !isNew && isOpen === undefined && caChain === undefined;
  if (!onlyEnds) await requireMayLetEnroll(ctx, projectId, byTemplate(template));
  const prepared = isNew ? await preparePassphrase(ctx, input) : undefined;
  const passphrase = prepared?.kept;
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPermittedTemplate(tx, id, certificateTemplatePermissions.edit);
    if (!onlyEnds) await requireMayLetEnroll(tx, projectId, byTemplate(locked));
    const config = await changeEstConfig(tx, id, { isEnabled, passphrase, isOpen, caChain });
    if (!config) throw notFound('EST configuration');
    requireAnchors(config, OPEN);
    const { certificateTemplateId: _, ...changes } = input;
    const data = { certificateTemplateId: id, isEnabled: config.isEnabled, changed: givenFields(changes) };
    record(tx, estConfigUpdated, data, { projectId });
    return { ...toEstConfig(id, config), passphrase: prepared?.generated };
  });
}
