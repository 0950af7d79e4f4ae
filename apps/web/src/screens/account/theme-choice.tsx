import { setTheme, useTheme, type Theme } from '../../app/theme.ts';
import { SelectField } from '../../ui/field.tsx';
import { texts } from './texts.ts';

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <SelectField
      label={texts.theme}
      hint={texts.inThisBrowser}
      value={theme}
      onChange={(event) => setTheme(event.target.value as Theme)}
    >
      <option value="system">{texts.asSystemHasIt}</option>
      <option value="light">{texts.light}</option>
      <option value="dark">{texts.dark}</option>
    </SelectField>
  );
}
