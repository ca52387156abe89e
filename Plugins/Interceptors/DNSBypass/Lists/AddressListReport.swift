import Interception
import Synchronization

/// What a refresher has done.
public enum AddressListReport: Sendable, Hashable {
  /// The stored list is in use, with a number of hosts.
  case restored(hosts: Int)
  /// A fetched list is in use, with a number of hosts.
  case refreshed(hosts: Int)
  /// A list wasn't used or stored; the one in use remains.
  case failed(AddressListError)
  /// The file of the stored list, which can't be read or trusted, has this path now; at most three such files
  /// are kept.
  case setAside(path: String)
}
