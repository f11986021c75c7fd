@rem The npm scripts say "exec" so that signals reach Node and not a shell. Windows has no such word.
@%*
