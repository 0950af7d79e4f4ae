import { useContext, type ComponentType, type ReactNode } from 'react';
import { Choose } from '../choose.tsx';
import { SelectField } from '../field.tsx';
import { FormContext, type FieldProps, type Suggestion } from './context.ts';
import { textIn } from './value.ts';
import { texts } from './texts.ts';
import { words } from '../words.texts.ts';

interface Offer {
  readonly label: string;
  /** What there is; `undefined` while that is not known. */
  readonly useOptions: () => readonly Suggestion[] | undefined;
  readonly hint?: ReactNode;
  /** What to do where there is none. */
  readonly none?: ReactNode;
  /** It is needed though the schema does not say so. */
  readonly isNeeded?: boolean;
}

interface ChoicesOffer extends Pick<Offer, 'label' | 'useOptions'> {
  readonly none: string;
}

/** A field that names something else by its ID: one of those that there are. */
export const choicePart = ({ label, useOptions, hint, none, isNeeded = false }: Offer): ComponentType<FieldProps> =>
  function ChoiceOfThings({ path, value, isRequired, onChange }: FieldProps) {
    const fault = useContext(FormContext).faults.get(path);
    const options = useOptions();
    const isNone = options?.length === 0;
    const mustBe = isRequired || isNeeded;
    return (
      <SelectField
        label={label}
        required={mustBe}
        error={fault}
        hint={(isNone && none) || hint || (!mustBe && texts.optional)}
        value={textIn(value)}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{mustBe ? words.choose : words.none}</option>
        {options?.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label ?? option.value}
          </option>
        ))}
      </SelectField>
    );
  };

/** A list of such: some of those that there are, by check boxes. */
export const choicesPart = ({ label, useOptions, none }: ChoicesOffer): ComponentType<FieldProps> =>
  function ChoicesOfThings({ path, value, onChange }: FieldProps) {
    const error = useContext(FormContext).faults.get(path);
    const options = useOptions() ?? [];
    return (
      <Choose
        label={label}
        error={error}
        options={options.map((option) => ({ id: option.value, label: option.label ?? option.value }))}
        chosen={Array.isArray(value) ? (value as readonly string[]).filter(Boolean) : []}
        onChange={onChange}
        empty={none}
      />
    );
  };

/** A field that is not asked for. */
export const hiddenPart: ComponentType<FieldProps> = () => null;
