import { Button, Menu, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { IconBookmark, IconCheck, IconSettings } from '../icons/index.ts';
import { readStored, writeStored } from '../runtime/index.ts';
import type { Raw } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { ManageViews } from './manage-views.tsx';
import { notify } from './notify.tsx';
import { NameView } from './view-name.tsx';
import {
  MAX_VIEWS,
  parseViews,
  type SavedView,
  searchOfView,
  searchText,
  withView,
} from './views.ts';

const words = strings.ui.views;
const icon = { size: 16, 'aria-hidden': true } as const;

/** The views of a page that this browser keeps for the organization. */
function useViews(page: string) {
  const { organization } = useSession();
  const key = `views.${organization.id}.${page}`;
  const [stored, setStored] = useState(() => readStored(key));
  const change = (views: readonly SavedView[]) => {
    const next = JSON.stringify(views);
    setStored(next);
    writeStored(key, next);
  };
  return [parseViews(stored), change] as const;
}

/**
 * Named views of a page: its filters and order. The default view is opened with the page, unless the
 * address has filters.
 */
export function SavedViews({ page }: { page: string }) {
  const search: Raw = useSearch({ strict: false });
  const navigate = useNavigate();
  const [views, setViews] = useViews(page);
  const [asking, setAsking] = useState<'name' | 'manage' | null>(null);
  const open = (view: Pick<SavedView, 'search'>, replace = false) =>
    void navigate({ to: '.', search: view.search as never, replace });
  useDefaultView(views, search, (view) => open(view, true));
  const save = (name: string) => {
    setViews(withView(views, { name, search: searchOfView(search), isDefault: false }));
    notify(words.saved);
    setAsking(null);
  };
  const shown = searchText(search);
  const isUnsavable = shown === '[]' || views.length >= MAX_VIEWS;
  const current = views.find((view) => searchText(view.search) === shown);
  return (
    <>
      <Menu position="bottom-start" trapFocus>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark {...icon} />}>
            {current?.name ?? words.button}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 ? (
            <Text size="sm" c="dimmed" px="sm" py={4} maw={280}>
              {words.none}
            </Text>
          ) : (
            <ViewItems views={views} current={current} isAll={shown === '[]'} onOpen={open} />
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconBookmark {...icon} />}
            // It keeps the focus, without which Escape would not close a menu that has no other item.
            {...(isUnsavable ? { 'data-disabled': true } : {})}
            aria-disabled={isUnsavable}
            closeMenuOnClick={!isUnsavable}
            onClick={() => isUnsavable || setAsking('name')}
          >
            {views.length >= MAX_VIEWS ? words.tooMany(MAX_VIEWS) : words.save}
          </Menu.Item>
          {views.length > 0 ? (
            <Menu.Item leftSection={<IconSettings {...icon} />} onClick={() => setAsking('manage')}>
              {words.manage}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <NameView
        title={words.saveTitle}
        isOpen={asking === 'name'}
        taken={views.map(({ name }) => name)}
        onClose={() => setAsking(null)}
        onSave={save}
      />
      <ManageViews
        views={views}
        isOpen={asking === 'manage'}
        onClose={() => setAsking(null)}
        onChange={setViews}
      />
    </>
  );
}

/** Opens the default view once, when the page is opened without filters. */
function useDefaultView(
  views: readonly SavedView[],
  search: Raw,
  open: (view: SavedView) => void,
): void {
  const isChecked = useRef(false);
  useEffect(() => {
    if (isChecked.current) return;
    isChecked.current = true;
    const view = views.find(({ isDefault }) => isDefault);
    if (view && Object.keys(search).length === 0) open(view);
  });
}

interface ItemsProps {
  readonly views: readonly SavedView[];
  readonly current: SavedView | undefined;
  /** Whether the page is shown without filters. */
  readonly isAll: boolean;
  readonly onOpen: (view: Pick<SavedView, 'search'>) => void;
}

function ViewItems({ views, current, isAll, onOpen }: ItemsProps) {
  const signOf = (isShown: boolean) => (isShown ? <IconCheck {...icon} /> : <span />);
  return (
    <>
      <Menu.Item leftSection={signOf(isAll)} onClick={() => onOpen({ search: {} })}>
        {words.all}
      </Menu.Item>
      {views.map((view) => (
        <Menu.Item
          key={view.name}
          leftSection={signOf(view === current)}
          onClick={() => onOpen(view)}
        >
          {view.name}
        </Menu.Item>
      ))}
    </>
  );
}
