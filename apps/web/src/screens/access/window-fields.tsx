import { SelectField, TextField } from '../../ui/field.tsx';
import { relative } from '../../ui/time.tsx';
import styles from './access.module.css';
import { isGoodWindow, stateOf, type StoredWindow, type Window } from './window.ts';

interface WindowFieldsProps {
  readonly of: string;
  readonly value: Window;
  readonly onChange: (value: Window) => void;
  /** Where it begins by itself, with an approval, nobody chooses when. */
  readonly hasStart?: boolean;
}

/** Whether something is given for good, or for how long and from when. */
export const WindowFields = ({ of, value, onChange, hasStart = true }: WindowFieldsProps) => (
  <>
    <SelectField
      label="For how long"
      aria-label={`For how long: ${of}`}
      value={value.isTemporary ? 'temporary' : 'permanent'}
      onChange={(event) => onChange({ ...value, isTemporary: event.target.value === 'temporary' })}
    >
      <option value="permanent">Permanent</option>
      <option value="temporary">For a limited time</option>
    </SelectField>
    {value.isTemporary && (
      <div className={styles['window']}>
        <TextField
          label="Duration"
          aria-label={`Duration: ${of}`}
          placeholder="8h"
          hint="30m, 8h, 2d"
          required
          value={value.range}
          error={isGoodWindow({ ...value, start: '' }) ? undefined : 'A number and a unit: 30m, 8h, 2d'}
          onChange={(event) => onChange({ ...value, range: event.target.value })}
        />
        {hasStart && (
          <TextField
            label="From"
            aria-label={`From: ${of}`}
            type="datetime-local"
            step={1}
            hint="Empty: now"
            value={value.start}
            onChange={(event) => onChange({ ...value, start: event.target.value })}
          />
        )}
      </div>
    )}
  </>
);

/** ` until in 3 hours`, as words. */
export function windowText(window: StoredWindow): string {
  switch (stateOf(window)) {
    case 'upcoming':
      return `begins ${relative(window.temporaryAccessStartTime ?? '')}`;
    case 'over':
      return `ended ${relative(window.temporaryAccessEndTime ?? '')}`;
    case 'on':
      return window.isTemporary ? `ends ${relative(window.temporaryAccessEndTime ?? '')}` : '';
  }
}
