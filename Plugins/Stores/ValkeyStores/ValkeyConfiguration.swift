public import Interception

/// The address of a Valkey or Redis server, and how a store uses it.
///
/// hiredis 0.14, which Debian ships, has no TLS: the password and the nonces are sent in clear text. Use the
/// server in a private network, or connect to a TLS tunnel such as stunnel on the same machine.
public struct ValkeyConfiguration: Sendable {
  /// The server's name or address.
  package var host: String
  /// The server's port, 6379 by default.
  package var port: Int
  /// The user of the server's access control list (Redis 6 and later); nil for the default user.
  package var username: String?
  /// The password for `AUTH`; nil if the server requires none.
  package var password: String?
  /// The number of the database, 0 by default.
  public var database = 0
  /// The beginning of the names of all keys of nonces, `switchyard:nonce:` by default.
  ///
  /// Stores with the same prefix and database share their nonces. A ``ValkeyResponseStore`` has a prefix of
  /// its own.
  public var keyPrefix = "switchyard:nonce:"
  /// The time limit for opening a connection, 500 milliseconds by default.
  package var connectTimeout: Duration = .milliseconds(500)
  /// The time limit for a round trip, 250 milliseconds by default.
  package var commandTimeout: Duration = .milliseconds(250)
  /// The time between attempts to connect: 50 milliseconds, doubled after each failure up to 2 seconds.
  ///
  /// Meanwhile claims fail immediately, and responses are misses. A random part of at most half is
  /// subtracted.
  package var reconnectDelays: ClosedRange<Duration> = .milliseconds(50)...(.seconds(2))
  /// The maximum number of claims, or of calls of a response store, that wait for the server; 10,000 by
  /// default.
  package var maximumWaitingClaims = 10_000

  /// Creates a configuration with the defaults.
  ///
  /// - Parameters:
  ///   - host: The server's name or address.
  ///
  ///     A name is resolved for each new connection; no time limit applies to that.
  ///   - port: The server's port, 6379 by default.
  ///   - username: The user of the server's access control list (Redis 6 and later); nil for the default
  ///     user.
  ///   - password: The password for `AUTH`; nil if the server requires none.
  ///
  ///     It is never part of a text.
  public init(host: String, port: Int = 6_379, username: String? = nil, password: String? = nil) {
    self.host = host
    self.port = port
    self.username = username
    self.password = password
  }
}

extension ValkeyConfiguration: Concealed, CustomStringConvertible {
  /// The address and the database, without credentials.
  public var description: String { "\(host):\(port)/\(database)" }
}
