/** What the product uses of Fluent, from its single packages: @fluentui/react-components would install 37 MB more. */
export { Button, ToggleButton } from '@fluentui/react-button';
export { Checkbox } from '@fluentui/react-checkbox';
export { Option } from '@fluentui/react-combobox';
export { Combobox, Dropdown, Menu, Popover, Tooltip } from './landmark-popups.tsx';
export { Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, DialogTitle } from '@fluentui/react-dialog';
export {
  Field,
  type FieldControlProps,
  useFieldControlProps_unstable as useFieldControlProps,
} from '@fluentui/react-field';
export { Input } from '@fluentui/react-input';
export { Link } from '@fluentui/react-link';
export {
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from '@fluentui/react-menu';
export { MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '@fluentui/react-message-bar';
export { PopoverSurface, PopoverTrigger } from '@fluentui/react-popover';
export { ProgressBar } from '@fluentui/react-progress';
export { FluentProvider } from '@fluentui/react-provider';
export { Radio, RadioGroup } from '@fluentui/react-radio';
export { SearchBox } from '@fluentui/react-search';
export { Select } from '@fluentui/react-select';
export { Spinner } from '@fluentui/react-spinner';
export { Switch } from '@fluentui/react-switch';
export { Tab } from '@fluentui/react-tabs';
export { TabList } from './tab-list.tsx';
export { useRestoreFocusTarget } from '@fluentui/react-tabster';
export { Text } from '@fluentui/react-text';
export { Textarea } from '@fluentui/react-textarea';
export { type Theme, teamsHighContrastTheme, webDarkTheme, webLightTheme } from '@fluentui/react-theme';
export { Toast, ToastBody, ToastFooter, ToastTitle, Toaster, useToastController } from '@fluentui/react-toast';
export { useId } from '@fluentui/react-utilities';
export { RendererProvider, createDOMRenderer } from '@griffel/react';
