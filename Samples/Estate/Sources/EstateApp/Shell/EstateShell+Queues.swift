import Account
import EstateContract
import EstateNetwork
import Inspection
import LocalStores

extension EstateShell {
  /// Opens the journal of the user's actions; without it the app runs too, and prints why.
  nonisolated static func journal(
    _ configuration: AppConfiguration, _ network: NetworkStack, _ console: any Console
  ) -> ActivityJournal? {
    guard let path = configuration.activity else { return nil }
    do {
      return try ActivityJournal(path: path, network: network) { console.write("  ! \($0)") }
    } catch {
      console.write("  ! The user's actions are not recorded: \(error)")
      return nil
    }
  }

  /// Opens the queue of changes that wait for the network; without it the app runs too, and prints why.
  nonisolated static func changes(
    _ configuration: AppConfiguration, _ network: NetworkStack, _ console: any Console,
    _ inspector: Inspector?
  ) -> ChangeQueue? {
    guard let path = configuration.mutations else { return nil }
    do {
      return try ChangeQueue(
        path: path, network: network, observe: { [weak inspector] in inspector?.note($0, about: .mutation) }
      ) { console.write("  · \($0)") }
    } catch {
      console.write("  ! Changes can't wait for the network: \(error)")
      return nil
    }
  }

  /// The users' own data; its files are opened when they are needed.
  nonisolated static func data(_ configuration: AppConfiguration, _ session: Session) -> KeptData? {
    configuration.data.map { folder in
      KeptData(
        AccountStores(folder: folder, schema: LocalSchema(collections: KeptNotes.collection)),
        member: { session.name })
    }
  }

  /// Writes what waits of the users' own data, and prints why it can't.
  func keepWaitingData() async {
    do { try await data?.flush() } catch { say("  ! Not kept yet: \(error)") }
  }

  /// Uploads what was recorded, and closes the files of both queues, of which the rest is sent after the next
  /// start, and of the stored responses.
  package func closeFiles() async {
    deployments.end()
    await journal?.flush()
    await journal?.close()
    await changes?.close()
    await responses.close()
    do { try await data?.close() } catch { say("  ! Not kept: \(error)") }
    // Writes the last calls, if they are kept.
    await inspector?.stop()
  }

  /// The number of the member's changes that wait for the network.
  package var waitingChanges: Int {
    get async { (try? await changes?.resources().count) ?? 0 }
  }
}
