import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { Loading } from '../../ui/page.tsx';
import type { PlannedChange } from '../access/planned.ts';
import { PlannedForm } from '../access/planned-form.tsx';
import { WindowFields } from '../access/window-fields.tsx';
import { FOREVER, isGoodWindow, toWindow, windowOf } from '../access/window.ts';
import { RulesList } from '../roles/role-editor.tsx';
import { useCatalogue, type Catalogue } from '../rules/catalogue.ts';
import { toPermissions, toRules } from '../rules/rule.ts';
import { RulesField, useRules } from '../rules/rules-field.tsx';
import type { EditedPrivilege, Privilege } from './scope.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface PrivilegeFormProps {
  readonly projectId: string;
  readonly privilege?: Privilege;
  readonly planned: PlannedChange<EditedPrivilege>;
  readonly isEditable: boolean;
  readonly onDone: () => void;
}

/** A new privilege, or the rules and the time of one. */
export function PrivilegeForm(props: PrivilegeFormProps) {
  const catalogue = useCatalogue(props.projectId);
  if (!props.isEditable) return <RulesList rules={props.privilege?.permissions ?? []} />;
  return catalogue.size === 0 ? <Loading /> : <Fields {...props} catalogue={catalogue} />;
}

function Fields({ privilege, planned, catalogue, onDone }: PrivilegeFormProps & { readonly catalogue: Catalogue }) {
  const [slug, setSlug] = useState(privilege?.slug ?? '');
  const [window, setWindow] = useState(privilege ? windowOf(privilege) : { ...FOREVER, isTemporary: true });
  const [now] = useState(() => new Date().toISOString());
  const rules = useRules(toRules(privilege?.permissions ?? []), catalogue);
  const isComplete = rules.rules && rules.rules.length > 0 && isGoodWindow(window);
  return (
    <PlannedForm
      planned={planned}
      input={
        isComplete
          ? { ...(slug && { slug }), permissions: toPermissions(rules.rules), type: toWindow(window, now) }
          : undefined
      }
      submit={privilege ? texts.savePrivilege : texts.grantPrivilege}
      onDone={onDone}
    >
      <TextField
        label={words.name}
        isMono
        hint={texts.smallLettersDigitsAndHyphens}
        value={slug}
        onChange={(event) => setSlug(event.target.value)}
      />
      <WindowFields of={texts.privilege} value={window} onChange={setWindow} />
      <RulesField rules={rules} catalogue={catalogue} />
    </PlannedForm>
  );
}
