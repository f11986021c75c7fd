/**
 * The words that common passwords are made of. Passwords of twelve characters and more that stand on
 * lists of leaked ones are nearly all such a word with digits and signs around it, or repeated.
 */
const COMMON_WORDS = new Set(
  `password passwort passw0rd motdepasse contrasena kennwort admin administrator administrador root
  superuser welcome willkommen bienvenue letmein letmeinnow iloveyou iloveu iloveyousomuch loveyou
  qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm qwertyuiopasdfghjkl qazwsx
  qazwsxedc qweasd qweasdzxc asdf asdfasdf zaqxswcde changeme changeit changethis changemenow default
  secret supersecret topsecret master monkey dragon sunshine princess football baseball basketball
  superman batman spiderman pokemon starwars shadow michael jordan liverpool chelsea arsenal
  computer internet samsung google facebook hello helloworld whatever trustno freedom computer abc
  abcd abcdef abcdefg abcdefgh abcdefghijkl abcdefghijklm abcdefghijklmnop test testing tester
  temp temporary guest user username login mypassword yourpassword newpassword thepassword
  nopassword passwordpassword adminadmin rootroot testtest fieldwatch monitoring operator
  summer winter spring autumn flower jesus jesuschrist godisgood blessed family forever angel
  corvette mustang ferrari mercedes porsche harley yankees cowboys eagles steelers charlie thomas
  jennifer jessica ashley nicole daniel andrew matthew joshua hunter ranger killer soccer hockey
  cheese cookie chocolate banana pepper ginger maggie buster tigger snoopy mickey minnie`.split(
    /\s+/,
  ),
);

/** Runs of keys and of digits, in the order of a keyboard and of counting. */
const RUNS = [
  '0123456789'.repeat(26),
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujmikolp',
].flatMap((run) => [run, [...run].reverse().join('')]);

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const MIN_DIFFERENT_CHARACTERS = 5;

/** Whether a password is one that a guesser tries early. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) return true;
  const unit = shortestUnit(text);
  if (RUNS.some((run) => run.includes(unit))) return true;
  return [unit, unleet(unit)].some((form) => isCommonWord(form) || isCommonWord(lettersOf(form)));
}

function isCommonWord(text: string): boolean {
  return COMMON_WORDS.has(shortestUnit(text));
}

/** The part that the text repeats from its beginning to its end: `abc` of `abcabc`. */
function shortestUnit(text: string): string {
  const at = (text + text).indexOf(text, 1);
  return text.slice(0, at);
}

/** Without the digits and signs around it. */
function lettersOf(text: string): string {
  return text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');
}

function unleet(text: string): string {
  return [...lettersAndLeet(text)].map((letter) => LEET[letter] ?? letter).join('');
}

/** Digits at the end are a number more often than letters in disguise. */
function lettersAndLeet(text: string): string {
  return text.replace(/[\d\W_]+$/, '');
}
