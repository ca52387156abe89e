/// Rules of the public suffix list.
enum SuffixSample {
  /// Where Debian's package `publicsuffix` installs the list.
  static let installed = "/usr/share/publicsuffix/public_suffix_list.dat"

  /// The rules that the list's own test cases need, in its format.
  static let list = """
    // ===BEGIN ICANN DOMAINS===

    ac
    com.ac
    biz
    ck
    *.ck
    !www.ck
    cn
    com.cn
    \u{516C}\u{53F8}.cn
    com
    jp
    ac.jp
    // The city's own suffixes.
    kyoto.jp
    ide.kyoto.jp
    *.kobe.jp
    !city.kobe.jp
    *.mm
    us
    ak.us
    k12.ak.us
    \u{4E2D}\u{56FD}
    // ===END ICANN DOMAINS===
    // ===BEGIN PRIVATE DOMAINS===
    uk.com   // a comment after white space is not part of the rule
    github.io
    """
}
