import { SelectField, TextField } from '../../ui/field.tsx';
import { relative } from '../../ui/time.tsx';
import styles from './access.module.css';
import { isGoodWindow, stateOf, type StoredWindow, type Window } from './window.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
      label={texts.forHowLong}
      aria-label={texts.forHowLongOf(of)}
      value={value.isTemporary ? 'temporary' : 'permanent'}
      onChange={(event) => onChange({ ...value, isTemporary: event.target.value === 'temporary' })}
    >
      <option value="permanent">{texts.permanent}</option>
      <option value="temporary">{texts.forLimitedTime}</option>
    </SelectField>
    {value.isTemporary && (
      <div className={styles['window']}>
        <TextField
          label={texts.duration}
          aria-label={texts.durationOf(of)}
          placeholder={texts.exampleDuration}
          hint={texts.exampleDurations}
          required
          value={value.range}
          error={isGoodWindow({ ...value, start: '' }) ? undefined : texts.numberAndUnit}
          onChange={(event) => onChange({ ...value, range: event.target.value })}
        />
        {hasStart && (
          <TextField
            label={words.from}
            aria-label={texts.fromOf(of)}
            type="datetime-local"
            step={1}
            hint={texts.emptyNow}
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
      return texts.begins(relative(window.temporaryAccessStartTime ?? ''));
    case 'over':
      return texts.ended(relative(window.temporaryAccessEndTime ?? ''));
    case 'on':
      return window.isTemporary ? texts.ends(relative(window.temporaryAccessEndTime ?? '')) : '';
  }
}
