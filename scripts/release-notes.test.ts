import { describe, expect, it } from 'vitest';
import { notesOf } from './release-notes.mjs';

const CHANGELOG = `# Changelog

## [Unreleased]

- Not yet.

## [0.2.0] - 2026-12-01

### Added

- A thing.

## [0.1.0]

- The first.
`;

describe('the notes of a release', () => {
  it('are the section of its version', () => {
    expect(notesOf(CHANGELOG, '0.2.0')).toBe('### Added\n\n- A thing.');
  });

  it('need a section of that version with a date', () => {
    expect(() => notesOf(CHANGELOG, '0.3.0')).toThrow('CHANGELOG.md has no section ## [0.3.0].');
    expect(() => notesOf(CHANGELOG, '0.1.0')).toThrow('The section of 0.1.0 needs a date');
    expect(() => notesOf(CHANGELOG, '0.2')).toThrow('no section');
  });
});
