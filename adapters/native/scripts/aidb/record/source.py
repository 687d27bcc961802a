"""What a recorder reads in the source: the statement around a line, what it reads, and
which functions it calls. Knows no debugger."""

import os
import re

TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'')
COMMENT = re.compile(r"//.*$|/\*.*?\*/")
# A name with what hangs on it: members, elements, calls without brackets in them.
CHAIN = re.compile(
    r"""(?<![\w.])(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*
        (?:\s*(?:\.|->)\s*\w+|\[(?:[^\[\]"]|"[^"]*"|\[[^\[\]]*\])*\]|\((?:[^()"]|"[^"]*")*\))*""", re.VERBOSE)
MACRO = re.compile(r"\s*!(?!=)")  # behind the name of one of Rust
CALLED = re.compile(r"([A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)\s*(?:::<[^<>]*>)?\(")
ASSIGNS = re.compile(r"(?<![=!<>+\-*/%&|^])(?P<op>[-+*/%&|^]|<<|>>)?=(?![=>])")
CHANGES = re.compile(r"(?<![=!<>])=(?!=)|\+\+|--|<<=|>>=")
KEYWORDS = {
    "return", "if", "else", "for", "while", "do", "switch", "case", "const", "auto", "int", "long", "short", "char", "bool", "float", "double", "unsigned",
    "signed", "struct", "class", "new", "delete", "sizeof", "let", "mut", "match", "loop", "as", "fn", "in", "ref", "move", "true", "false", "nullptr", "NULL",
    "None", "Some", "Ok", "Err", "static", "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "void", "std", "throw", "self.",
}
# A line that is the whole head of a statement without braces; the next one is its body.
HEAD = re.compile(r"^(?:\} *)?(?:else +)?(?:for|while|if|switch)\b.*\)$|^(?:\} *)?else$|^do$")
TYPED = r"(?:const |struct |unsigned )*[\w:]+(?:<.*>)?(?: |\s*[*&])"  # the type that a declaration begins with
DECLARED = r"[*&\s]*(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=(?!=)\s*(.*))?$"  # a variable of it, with its value
MOST = 6  # lines of one statement
FEW = 10  # operands that are told

files = {}


def lines(file: str):
    found = files.get(file)
    if found is None:
        try:
            with open(file, encoding="utf-8", errors="replace") as f:
                found = f.read().splitlines()
        except OSError:
            found = []
        files[file] = found
    return found


def line(file: str, number: int):
    all_ = lines(file)
    return bare(all_[number - 1]) if 0 < number <= len(all_) else ""


def bare(text: str):
    """A line without comments; what stands in quotes stays."""
    kept, at = "", 0
    for m in TEXT.finditer(text):
        before = COMMENT.sub(" ", text[at:m.start()])
        if "//" in text[at:m.start()]:
            return (kept + before).strip()
        kept, at = kept + before + m.group(0), m.end()
    return (kept + COMMENT.sub(" ", text[at:])).strip()


def extent(file: str, number: int):
    """The first and the last line of the statement that a line belongs to."""
    first = last = number
    while first > 1 and number - first < MOST and not ends(line(file, first - 1)):
        first -= 1
    while last - number < MOST and not ends(line(file, last)):
        last += 1
        if last > len(lines(file)):
            break
    return first, last


def statement(file: str, number: int):
    """The statement that a line belongs to, as one line."""
    first, last = extent(file, number)
    return " ".join(line(file, n) for n in range(first, last + 1)).strip()


def is_statement(file: str, number: int):
    """Says that a line has more than a comment, an attribute or brackets."""
    text = line(file, number).strip()
    return bool(re.search(r"\w", text)) and not text.startswith(("//", "/*", "*", "#"))


def ends(text: str):
    return text == "" or text[-1] in ";{}:" or text.startswith("#") or HEAD.match(text) is not None and text.count("(") == text.count(")")


def segment(file: str, number: int, column: int):
    """Which of the statements of a line begins before a column, which counts from 1; None where that is not known."""
    all_ = lines(file)
    if not column or not 0 < number <= len(all_):
        return None
    hidden = TEXT.sub(lambda m: '"' * len(m.group(0)), all_[number - 1])[: column - 1]
    depth = found = 0
    for c in hidden:
        depth += (c in "([") - (c in ")]")
        found += c in ";{}" and depth == 0
    return found


PRINTS = re.compile(os.environ.get("AIDB_RECORD_PRINTS") or "(?!)")  # how a statement begins that prints
IF = re.compile(r"^(?:\} *)?(?:else +)?if\b")


def reason(file: str, number: int):
    """A statement by which a program ends, behind the condition right in front of it, where there is one: only what
    prints, and calls nothing else, may stand between them."""
    above, text = extent(file, number)[0] - 1, statement(file, number)
    while above > 0 and not IF.match(text):
        said, bare_ = statement(file, above), TEXT.sub('""', statement(file, above))
        if IF.match(said) and said[-1] in "{)":
            return said + " " + text
        if said and (not PRINTS.match(said) or CHANGES.search(bare_) or "&" in bare_ or bare_.count("(") > (1 if PRINTS.match(said).group(0)[-1] == "(" else 0)):
            break
        above = extent(file, above)[0] - 1
    return text


def several(file: str, number: int):
    """Says that a line has more than one statement."""
    text = line(file, number)
    return segment(file, number, len(text) + 1) is not None and TEXT.sub('""', text).rstrip("; }").count(";") > 0


ROUND = re.compile(r"\b(?:for|while|do|goto)\b|\b(?:[A-Z][A-Z0-9_]+|\w*(?:for|each|while|loop|repeat)\w*)\s*\(")


def goes_round(file: str, number: int):
    """Says that a line has a loop of the source's, by its words or perhaps in a macro: what constructs the elements of an array,
    or destroys the texts of a list, is a loop of the compiler's."""
    return ROUND.search(TEXT.sub('""', line(file, number))) is not None


def loop_body(file: str, number: int):
    """The column at which the body of a loop begins that stands in one line whole, counted from 1; 0 where there is none."""
    all_ = lines(file)
    hidden = TEXT.sub(lambda m: '"' * len(m.group(0)), all_[number - 1]) if 0 < number <= len(all_) else ""
    heads, depth = list(re.finditer(r"\b(?:for|while)\s*\(", hidden)), 0
    head = heads[-1] if heads else None  # the innermost
    for at in range(head.end() - 1, len(hidden)) if head else ():
        depth += (hidden[at] == "(") - (hidden[at] == ")")
        if depth == 0:
            return at + 2
    return 0


def parts(text: str):
    """Of a statement: what it assigns to (empty: nothing), whether that is read too, and what it reads."""
    hidden = TEXT.sub(lambda m: '"' + "_" * (len(m.group(0)) - 2) + '"', text)
    if hidden.startswith("for"):
        return "", False, text
    depth = 0
    for m in ASSIGNS.finditer(hidden):
        depth = hidden.count("(", 0, m.start()) - hidden.count(")", 0, m.start())
        if depth > 0:
            continue
        return text[:m.start()].strip(), bool(m.group("op")), text[m.end():].strip().rstrip(";")
    changed = re.match(r"^(?:\+\+|--)(.+?);?$|^(.+?)(?:\+\+|--);?$", hidden)
    if changed:
        target = text.strip("+-; ")
        return target, True, ""
    declared = re.match(r"^(?:const )?[\w:<>, *&]+?\b(\w+)\s*[({](.*)[)}];$", text)
    if declared and " " in text.split("(")[0].strip() and not text.startswith(("return", "throw", "delete")):
        return declared.group(1), False, declared.group(2)
    return "", False, re.sub(r"^return\b", "", text).strip().rstrip(";")


def declarators(text: str):
    """The variables that a statement of C or C++ declares, each with what it begins with; none where it is no declaration
    of several."""
    hidden = TEXT.sub(lambda m: '"' + "_" * (len(m.group(0)) - 2) + '"', text).rstrip("; ")
    depth, ends_ = 0, []
    for at, c in enumerate(hidden):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            ends_.append(at)
    pieces = [text[a:b].strip() for a, b in zip([0] + [e + 1 for e in ends_], [*ends_, len(hidden)])]
    found = [re.match((TYPED if i == 0 else "") + DECLARED, piece, re.DOTALL) for i, piece in enumerate(pieces)]
    declares = len(found) > 1 and all(found) and not text.startswith(("return ", "throw ", "delete "))
    return [(m.group(1), m.group(2) or "") for m in found] if declares else []


def operands(text):
    """The names and chains of members that a piece of source reads, each once."""
    found = []

    def add(piece):
        for m in CHAIN.finditer(piece):
            chain = m.group(0).strip()
            root = re.match(r"(?:::)?\w+", chain).group(0)
            inner = re.findall(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]|\(([^()]*)\)", chain)
            if root in KEYWORDS or MACRO.match(piece, m.end()):
                for pair in inner:
                    add(pair[0] or pair[1])
                continue
            if chain not in found and not chain[0].isdigit():
                found.append(chain)
            for pair in inner:
                add(pair[0] or pair[1])
            rest = piece[m.end():]
            if rest.startswith("("):  # brackets within brackets: what is inside is found on its own
                continue

    def shown(m):  # a text in square brackets is a key
        return m.group(0) if text.count("[", 0, m.start()) > text.count("]", 0, m.start()) else '""'

    hidden = TEXT.sub(shown, text)
    add(hidden)
    return found[: 4 * FEW]


def leads_through(chain: str, names):
    """Says that a chain of members is found by the value of one of some others: it has that as its beginning or as a key."""
    return any(chain != name and re.search(r"(?<![\w.>])%s(?!\w)" % re.escape(name), chain) is not None for name in names)


def is_stepped(chain: str, text: str):
    """Says that a piece of source counts a chain of members up or down, beside what else it does."""
    return re.search(r"(?:\+\+|--)\s*%s(?!\w)|(?<![\w.>])%s\s*(?:\+\+|--)" % (re.escape(chain), re.escape(chain)), text) is not None


def receiver(chain: str):
    """What a method is called on; empty for a plain function."""
    depth = 0
    for i in range(len(chain) - 1, -1, -1):
        depth += (chain[i] == ")") - (chain[i] == "(")
        if depth == 0:
            m = re.match(r"^(.*?)\s*(?:\.|->)\s*\w+$", chain[:i])
            return m.group(1) if m else ""
    return ""


def called(text: str):
    """The functions that a piece of source calls."""
    hidden = TEXT.sub('""', text)
    return [n for n in dict.fromkeys(CALLED.findall(hidden)) if n not in KEYWORDS]


def arguments(text: str, function: str):
    """What stands in the brackets of a call."""
    last = re.escape(re.split(r"::|\.", function)[-1].split("<")[0].strip("~{}") or "?")
    m = re.search(r"\b%s\s*(?:::<[^<>]*>)?[({]" % last, text)
    if not m:
        return text
    depth = 1
    for i in range(m.end(), len(text)):
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if depth == 0:
            return text[m.end():i]
    return text[m.end():]


def given(text: str, function: str):
    """What a statement gives a function that it calls; nothing where a macro calls that, which may give it anything."""
    last = re.split(r"::|\.", function)[-1].split("<")[0]
    names = [n.rsplit("::", 1)[-1] for n in called(text)]
    return "" if last not in names and any(n.isupper() and len(n) > 1 for n in names) else arguments(text, function)


def changes(expression: str) -> bool:
    return CHANGES.search(TEXT.sub('""', expression)) is not None


def malformed(expression: str, token) -> str:
    """What is wrong with an expression whatever the names in it mean; empty where nothing is seen."""
    text, at, depth, last = expression.strip(), 0, [], ("", "")
    if not text:
        return "it is empty"
    while at < len(text):
        m = token.match(text, at)
        if not m or m.end() == at:
            return ""  # words that only the debugger knows
        last, at = (m.lastgroup, m.group(m.lastgroup)), m.end()
        if last[0] == "op" and last[1] in "([":
            depth.append(last[1])
        elif last[0] == "op" and last[1] in (")", "]") and (not depth or depth.pop() != {")": "(", "]": "["}[last[1]]):
            return "%s closes nothing" % last[1]
    if depth:
        return "%s is not closed" % depth[-1]
    if last[0] == "op" and last[1] not in (")", "]", ">", "*", "&"):
        return "it ends in %s" % last[1]
    return ""
