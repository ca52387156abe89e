import RequestSigning

extension ServerConnection {
  /// Connects to a server, and returns the connection after its handshake with the run id of the server.
  ///
  /// - Parameter allowsEviction: Whether the server may evict keys.
  static func opened(
    _ configuration: ValkeyConfiguration, allowsEviction: Bool, fault: ServerFault
  ) throws(NonceStoreError) -> (connection: ServerConnection, runID: String) {
    let connection: ServerConnection
    do throws(Failure) {
      connection = try ServerConnection(
        host: configuration.host, port: configuration.port, connectTimeout: configuration.connectTimeout,
        commandTimeout: configuration.commandTimeout)
    } catch { throw fault.error(for: error, limit: configuration.connectTimeout) }
    let handshake = Handshake(configuration, allowsEviction: allowsEviction)
    let replies: [RESPReply]
    do throws(Failure) {
      replies = try connection.exchange(handshake.commands, within: configuration.commandTimeout)
    } catch { throw fault.error(for: error, limit: configuration.commandTimeout) }
    return (connection, try handshake.runID(from: replies, by: fault))
  }
}
