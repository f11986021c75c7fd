import { NavLink, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconMenu } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import classes from './navigation.module.css';
import { isCurrent, useSectionGroups, useSections } from './sections.tsx';

/** Links to the sections of the user, in groups. */
export function Navigation({ pathname }: { pathname: string }) {
  const groups = useSectionGroups();
  return groups.map(({ name, sections }) => (
    <div key={name} className={classes.group}>
      {name ? (
        <Text className={classes.groupName} size="xs">
          {name}
        </Text>
      ) : null}
      {sections.map((section) => {
        const isHere = isCurrent(section, pathname);
        return (
          <NavLink
            key={section.to}
            component={Link}
            to={section.to}
            label={section.label}
            leftSection={section.icon}
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
            className={classes.link}
          />
        );
      })}
    </div>
  ));
}

interface BottomBarProps {
  readonly pathname: string;
  readonly isNavOpen: boolean;
  readonly onNav: () => void;
}

/** The main sections within reach of a thumb; the last button opens the others. */
export function BottomBar({ pathname, isNavOpen, onNav }: BottomBarProps) {
  const sections = useSections();
  return (
    <nav className={classes.bar} aria-label={strings.app.mainSections}>
      {sections
        .filter(({ isMain }) => isMain)
        .map((section) => (
          <Link
            key={section.to}
            to={section.to}
            className={classes.item}
            aria-current={isCurrent(section, pathname) && !isNavOpen ? 'page' : undefined}
          >
            {section.icon}
            {section.label}
          </Link>
        ))}
      <UnstyledButton
        className={classes.item}
        onClick={onNav}
        aria-label={strings.app.openNavigation}
        aria-expanded={isNavOpen}
      >
        <IconMenu size={18} aria-hidden />
        {strings.app.moreSections}
      </UnstyledButton>
    </nav>
  );
}
