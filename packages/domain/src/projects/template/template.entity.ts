import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type Rule } from '../../kernel/index.ts';
import type { TemplateEnvironment } from './template.ts';

/** A role of a template; projects that are created from it get copies. */
export interface TemplateRole {
  readonly name: string;
  readonly slug: string;
  readonly permissions: Rule[];
}

export const ProjectTemplateEntity = defineEntity({
  name: 'ProjectTemplate',
  tableName: 'project_templates',
  properties: {
    ...base,
    organizationId: p.uuid(),
    name: p.text(),
    description: p.text().nullable(),
    type: p.text(),
    roles: p.json().$type<TemplateRole[]>(),
    environments: p.json().$type<TemplateEnvironment[]>(),
  },
});
export type ProjectTemplateEntity = InferEntity<typeof ProjectTemplateEntity>;
