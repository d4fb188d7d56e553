"""Words of English that name nothing by themselves."""

from __future__ import annotations

#: words that are no mention alone, nor begin or end one where what is left is a name too
LITTLE = frozenset(
    (
        *("a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "did", "do", "does", "for", "from"),
        *("had", "has", "have", "how", "i", "in", "is", "it", "its", "many", "me", "more", "most", "much", "no", "not"),
        *("of", "on", "or", "other", "s", "than", "that", "the", "their", "there", "these", "they", "this", "those"),
        *("to", "was", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "you"),
        *("name", "list", "give", "find", "show", "tell", "all", "also", "both", "each", "if", "so", "up", "out"),
    )
)
#: further words that are no name alone in small letters, though things are called so: films, songs
FUNCTION = LITTLE | frozenset(
    (
        *("about", "above", "across", "after", "again", "against", "ago", "along", "already", "always", "among"),
        *("another", "around", "away", "back", "because", "before", "behind", "being", "below", "between", "beyond"),
        *("can", "cannot", "could", "despite", "down", "during", "either", "else", "enough", "even", "ever", "every"),
        *("few", "first", "further", "he", "her", "here", "hers", "him", "his", "however", "instead", "into", "just"),
        *("last", "least", "less", "like", "may", "might", "mine", "must", "my", "near", "neither", "never", "next"),
        *("nor", "now", "off", "often", "once", "one", "only", "onto", "our", "ours", "over", "own", "per", "please"),
        *("quite", "rather", "same", "second", "several", "shall", "she", "should", "since", "some", "still", "such"),
        *("them", "then", "third", "though", "through", "thus", "too", "toward", "towards", "under", "until", "upon"),
        *("us", "very", "via", "we", "well", "whether", "while", "within", "without", "would", "yet", "your", "yours"),
        *("am", "became", "become", "call", "called", "came", "come", "comes", "get", "gets", "go", "goes", "going"),
        *("gone", "got", "having", "kind", "know", "known", "made", "make", "makes", "named", "names", "other's"),
        *("said", "say", "says", "see", "seen", "sort", "take", "takes", "thing", "things", "took", "type", "types"),
        *("use", "used", "uses", "want", "went", "whats", "whos", "de", "la", "th", "st", "vs", "etc", "not", "part"),
    )
)
