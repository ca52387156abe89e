package import AccountRoutes
package import EstateContract
package import Foundation
package import LocalStores

package struct KeptNotes: NoteKeeping {
  package struct Note: Codable, Identifiable, Sendable {
    package var id = UUID()
    let home: Int
    let text: String
    var isSent = false
  }

  private static let byHome = LocalIndex("home") { (note: Note) in note.home }
  /// The collection, which the app declares in the schema of its data.
  package static let collection = LocalCollection("notes", indexes: byHome)
  /// The maximum number of notes that are shown.
  private static let shownCount = 5

  private let data: KeptData?

  /// Creates the notes; with `nil` none are kept.
  package init(_ data: KeptData?) { self.data = data }

  /// Returns the notes about a home; none if they can't be read.
  package func notes(about home: Int) async -> [WrittenNote] {
    let query = LocalQuery(
      Self.collection, by: Self.byHome, from: home, through: home, isDescending: true, limit: Self.shownCount)
    let notes = try? await data?.ofUser().items(query)
    return (notes ?? []).map { WrittenNote(text: $0.text, isSent: $0.isSent) }
  }

  /// Sends a note that is kept before, so that it isn't lost if it can't be sent.
  func send<Receipt>(
    _ text: String, about home: Int, by send: () async throws -> Receipt
  ) async throws -> Receipt {
    // Of the user who writes it, also if that has changed when the server answers.
    guard let store = try await data?.ofUser() else { return try await send() }
    var note = Note(home: home, text: text)
    try await store.put(note, in: Self.collection)
    let receipt = try await send()
    note.isSent = true
    // The server has it; it is shown as not sent if that can't be kept.
    try? await store.put(note, in: Self.collection)
    return receipt
  }
}
