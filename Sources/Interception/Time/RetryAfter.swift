/// Reads the `Retry-After` field (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// Returns the wait that a server asks for; nil without a valid value.
  ///
  /// A date is compared with the response's own `Date` field, so that a wrong clock of this device does not
  /// matter, and with the device's clock only if there is none. A date in the past means no wait.
  ///
  /// - Parameters:
  ///   - value: The value of the field.
  ///   - date: The value of the response's `Date` field.
  ///   - now: The device's time.
  package static func wait(_ value: String?, date: String?, now: WallTime) -> Duration? {
    guard let text = value?[...].trimmingWhitespace(), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // No caller waits for more than 300 years, and the sum with another wait must not overflow.
      return .seconds(text.utf8.count > 10 ? 9_999_999_999 : Int64(text) ?? 9_999_999_999)
    }
    // A date has at most 33 characters.
    guard text.utf8.count <= 40, let end = HTTPDate.parse(String(text), now: now) else { return nil }
    let sent = date.flatMap { $0.utf8.count <= 40 ? HTTPDate.parse($0, now: now) : nil }
    return max(.zero, (sent ?? now).duration(to: end))
  }
}
