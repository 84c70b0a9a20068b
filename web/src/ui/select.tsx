/** A list to choose from in a field. Mantine's own has no Back, which on a phone leaves the page under the open list. */
import { Select as MantineSelect, type SelectProps } from '@mantine/core';
import { useFloating } from './use-floating.ts';

export function Select(props: SelectProps) {
  const { opened, onChange } = useFloating();
  return (
    <MantineSelect
      dropdownOpened={opened}
      onDropdownOpen={() => onChange(true)}
      onDropdownClose={() => onChange(false)}
      {...props}
    />
  );
}
