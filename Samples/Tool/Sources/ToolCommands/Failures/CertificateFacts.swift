import Interception

/// What a server's certificate says of itself.
public struct CertificateFacts: Sendable, Hashable, CustomStringConvertible {
  /// The subject, such as `CN=localhost`.
  public var subject: String
  /// The issuer.
  public var issuer: String
  /// The beginning of its validity, in seconds since 1970.
  public var notBefore: Int64
  /// The end of its validity, in seconds since 1970.
  public var notAfter: Int64
  /// The names and addresses for which it is.
  public var names: [String]

  /// Creates the facts.
  public init(subject: String, issuer: String, notBefore: Int64, notAfter: Int64, names: [String]) {
    (self.subject, self.issuer, self.names) = (subject, issuer, names)
    (self.notBefore, self.notAfter) = (notBefore, notAfter)
  }

  /// Whether its own key vouches for it.
  public var isSelfIssued: Bool { subject == issuer }

  /// The names in a list of at most eight.
  public var shownNames: String {
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return names.prefix(8).joined(separator: ", ") + rest
  }

  /// The subject and the issuer.
  public var description: String { "\(subject), " + (isSelfIssued ? "self-signed" : "issued by \(issuer)") }

  /// What is wrong with it; nil if the facts do not show that.
  func sentence(about fault: NetworkError.TLSFault, host: String, now: Int64) -> String? {
    let subject = "The certificate of \(host)"
    switch fault {
    case .expired where notAfter < now:
      return "\(subject) expired on \(Self.day(notAfter)), \(Self.days(now - notAfter)) ago."
    case .expired where notBefore > now:
      return "\(subject) is valid from \(Self.day(notBefore)) only, in \(Self.days(notBefore - now))."
    case .nameMismatch where !names.isEmpty: return "\(subject) is for another name: \(shownNames)."
    case .untrusted where isSelfIssued:
      return "\(subject) is self-signed, so that no authority vouches for it."
    case .untrusted:
      return "\(subject) is issued by \(issuer), which is no trusted authority."
    default: return nil
    }
  }

  private static func days(_ seconds: Int64) -> String {
    seconds < 86_400 ? "less than a day" : Figures.count(Int(seconds / 86_400), "day")
  }

  /// The day of a time in UTC, such as 2026-02-01.
  ///
  /// By the algorithm of Howard Hinnant's `civil_from_days`.
  static func day(_ seconds: Int64) -> String {
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day))"
  }
}
