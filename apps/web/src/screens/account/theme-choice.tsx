import { setTheme, useTheme, type Theme } from '../../app/theme.ts';
import { SelectField } from '../../ui/field.tsx';

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <SelectField
      label="Theme"
      hint="In this browser"
      value={theme}
      onChange={(event) => setTheme(event.target.value as Theme)}
    >
      <option value="system">As the system has it</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </SelectField>
  );
}
