import type { PublishedRule } from '@coffer/client';
import { useState, type ReactNode } from 'react';
import { Row, TextField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { ruleText } from '../../ui/rule.ts';
import { PlannedForm } from '../access/planned-form.tsx';
import type { PlannedChange } from '../access/planned.ts';
import type { Catalogue } from '../rules/catalogue.ts';
import { toPermissions, toRules } from '../rules/rule.ts';
import { RulesField, useRules } from '../rules/rules-field.tsx';
import type { EditedRole } from './scope.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface RoleEditorProps<Input, Output> {
  readonly role?: { name: string; slug: string; description: string | null; permissions: readonly PublishedRule[] };
  readonly catalogue: Catalogue;
  readonly planned: PlannedChange<Input, Output>;
  readonly toInput: (role: EditedRole) => Input;
  readonly onDone: (output: Output) => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

const SLUG = /[^a-z0-9]+/g;
const slugOf = (name: string) => name.toLowerCase().replaceAll(SLUG, '-').replace(/^-|-$/g, '');

/** Makes or changes a role. */
export function RoleEditor<Input, Output>({
  role,
  catalogue,
  planned,
  toInput,
  onDone,
  children,
}: RoleEditorProps<Input, Output>) {
  const [name, setName] = useState(role?.name ?? '');
  const [slug, setSlug] = useState(role?.slug);
  const [description, setDescription] = useState(role?.description ?? '');
  const rules = useRules(toRules(role?.permissions ?? []), catalogue);
  const edited = rules.rules &&
    name.trim() && {
      name: name.trim(),
      slug: slug ?? slugOf(name),
      description: description.trim() || null,
      permissions: toPermissions(rules.rules),
    };
  return (
    <Card>
      <PlannedForm
        planned={planned}
        input={edited ? toInput(edited) : undefined}
        submit={role ? texts.saveRole : texts.createRole}
        onDone={onDone}
      >
        <TextField
          label={words.name}
          required
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={words.slug}
          isMono
          required
          hint={texts.byWhichProgramsName}
          value={slug ?? slugOf(name)}
          onChange={(event) => setSlug(event.target.value)}
        />
        <TextField
          label={words.description}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <RulesField rules={rules} catalogue={catalogue} />
      </PlannedForm>
      <Row>{children}</Row>
    </Card>
  );
}

/** The rules of a role that cannot be changed. */
export const RulesList = ({ rules }: { readonly rules: readonly PublishedRule[] }) => (
  <Card>
    {rules.length === 0 ? (
      <p>{texts.itHasNoRules}</p>
    ) : (
      <ol>
        {rules.map((rule, index) => (
          <li key={`${index} ${rule.subject}`}>{ruleText(rule)}</li>
        ))}
      </ol>
    )}
  </Card>
);
