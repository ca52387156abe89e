/// What a refresher has done.
public enum AddressListReport: Sendable, Hashable {
  /// The stored list is in use, with a number of hosts.
  case restored(hosts: Int)
  /// A fetched list is in use, with a number of hosts.
  case refreshed(hosts: Int)
  /// A list wasn't used or stored; the one in use remains.
  case failed(AddressListError)
}
