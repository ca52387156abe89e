import Cryptography
public import Interception

/// A reason why a list of addresses wasn't used or stored; the list in use remains.
public struct AddressListError: Error, LoggableError, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// The list couldn't be fetched.
    case unavailable(reason: String)
    /// The signature of the list isn't valid.
    case unverified(reason: String)
    /// The list is longer than 4 MiB.
    case tooLong
    /// The text can't be parsed; lines are counted from 1, and 0 stands for the whole.
    case malformed(line: Int)
    /// The list has no host.
    case empty
    /// The list was issued more than a day ahead of the clock.
    case issuedInFuture
    /// The list was issued before the one in use.
    case outdated
    /// The list doesn't say when it was issued, and the one in use does.
    case undated
    /// The list was issued, or the stored list without that time was fetched, more than 30 days ago.
    case expired
    /// The list has a fault, such as an address of a private network.
    case refused(AddressTableIssue)
    /// The stored list can't be read.
    case unreadable(path: String, reason: String)
    /// The stored list is damaged or cut off; a new one will be fetched.
    case damaged(path: String)
    /// The list is in use but can't be stored.
    case unwritable(path: String, reason: String)
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }
}

extension AddressListError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch reason {
    case .unavailable(let reason):
      "The list of addresses can't be fetched: \(reason). It will be tried again."
    case .unverified(let reason):
      "The signature of the list of addresses is not valid: \(reason). Compare the keys of app and server."
    case .tooLong:
      "The list of addresses has more than \(AddressListRefresher.maximumSize) bytes; leave hosts to the "
        + "system's DNS."
    case .malformed(let line):
      "The list of addresses can't be parsed at line \(line); write a host and its addresses on each line."
    case .empty: "The list of addresses has no host; send at least one."
    case .issuedInFuture:
      "The list of addresses was issued more than a day ahead of the clock; check the clocks of app and server."
    case .outdated: "The list of addresses was issued before the one in use; send the latest one."
    case .undated:
      "The list of addresses doesn't say when it was issued, and the one in use does; send the time with each list."
    case .expired:
      "The list of addresses is more than \(AddressListRefresher.maximumAge.components.seconds / 86_400) days old; send "
        + "a current one, and check the clock of the device."
    case .refused(let issue): "The list of addresses is refused. \(issue)"
    case .unreadable(let path, let reason):
      "The stored list of addresses \(path) can't be read: \(reason). Check its owner and its permissions."
    case .damaged(let path):
      "The stored list of addresses \(path) is damaged, so it isn't used; a new one will be fetched."
    case .unwritable(let path, let reason):
      "The list of addresses can't be stored in \(path): \(reason). Check the folder."
    }
  }
}
