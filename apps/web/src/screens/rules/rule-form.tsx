import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { SelectField } from '../../ui/field.tsx';
import { ruleText } from '../../ui/rule.ts';
import type { Catalogue } from './catalogue.ts';
import { operatorsOf, testsOf, toConditions, type Rule } from './rule.ts';
import styles from './rules.module.css';
import { TestRow } from './test-row.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface RuleFormProps {
  readonly rule: Rule;
  /** Counted from 1. */
  readonly number: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly catalogue: Catalogue;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
  readonly onMove: (by: -1 | 1) => void;
}

/** One rule: what it is about, which actions, and under which conditions. */
export function RuleForm({ rule, number, isFirst, isLast, catalogue, onChange, onRemove, onMove }: RuleFormProps) {
  const { subject, inverted = false } = rule;
  const choose = (next: string) => onChange({ subject: next, action: [], ...(inverted && { inverted }) });
  return (
    <fieldset className={classes(styles['rule'], inverted && styles['forbids'])}>
      <legend>
        {number}. {ruleText({ ...rule, action: [...rule.action] })}
      </legend>
      <div className={styles['top']}>
        <SelectField
          label={texts.effect}
          aria-label={texts.effectOfRule(number)}
          value={inverted ? 'forbids' : 'allows'}
          onChange={({ target: { value } }) => {
            const { inverted: _, ...rest } = rule;
            onChange(value === 'forbids' ? { ...rest, inverted: true } : rest);
          }}
        >
          <option value="allows">{texts.allows}</option>
          <option value="forbids">{texts.forbids}</option>
        </SelectField>
        <SelectField
          label={words.subject}
          aria-label={texts.subjectOfRule(number)}
          value={subject}
          onChange={(event) => choose(event.target.value)}
        >
          {!catalogue.has(subject) && <option value={subject}>{subject}</option>}
          {[...catalogue.keys()].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </SelectField>
        <div className={styles['tools']}>
          <IconButton label={texts.moveRuleUp(number)} disabled={isFirst} onClick={() => onMove(-1)}>
            <ArrowUp size={16} />
          </IconButton>
          <IconButton label={texts.moveRuleDown(number)} disabled={isLast} onClick={() => onMove(1)}>
            <ArrowDown size={16} />
          </IconButton>
          <IconButton label={texts.removeRule(number)} onClick={onRemove}>
            <Trash2 size={16} />
          </IconButton>
        </div>
      </div>
      <ActionBoxes rule={rule} number={number} known={catalogue.get(subject)?.actions ?? []} onChange={onChange} />
      <Conditions rule={rule} number={number} fields={catalogue.get(subject)?.conditions ?? []} onChange={onChange} />
    </fieldset>
  );
}

type PartProps = Pick<RuleFormProps, 'rule' | 'number' | 'onChange'>;

function ActionBoxes({ rule, number, known, onChange }: PartProps & { readonly known: readonly string[] }) {
  const chosen = rule.action;
  const toggle = (action: string) =>
    onChange({
      ...rule,
      action: chosen.includes(action)
        ? chosen.filter((one) => one !== action)
        : [...known.filter((one) => one === action || chosen.includes(one))],
    });
  const unknown = chosen.filter((one) => !known.includes(one));
  return (
    <fieldset className={styles['actions']}>
      <legend>{texts.actionsOfRule(number)}</legend>
      {[...known, ...unknown].map((action) => (
        <label key={action}>
          <input type="checkbox" checked={chosen.includes(action)} onChange={() => toggle(action)} /> {action}
        </label>
      ))}
    </fieldset>
  );
}

function Conditions({ rule, number, fields, onChange }: PartProps & { readonly fields: readonly string[] }) {
  const tests = testsOf(rule.conditions);
  const set = (next: typeof tests) => {
    const { conditions: _, ...rest } = rule;
    const conditions = toConditions(next);
    onChange(conditions ? { ...rest, conditions } : rest);
  };
  const free = fields.find((field) => !tests.some((test) => test.field === field));
  if (fields.length === 0 && tests.length === 0) return null;
  return (
    <>
      {tests.map((test, index) => (
        <TestRow
          key={index}
          of={texts.conditionOfRule(index + 1, number)}
          test={test}
          fields={fields}
          onChange={(next) => set(tests.with(index, next))}
          onRemove={() => set(tests.toSpliced(index, 1))}
        />
      ))}
      <Button
        kind="quiet"
        disabled={!free}
        onClick={() => free && set([...tests, { field: free, operator: operatorsOf(free)[0]!, operand: '' }])}
      >
        <Plus size={16} aria-hidden /> {texts.conditionForRule(number)}
      </Button>
    </>
  );
}
