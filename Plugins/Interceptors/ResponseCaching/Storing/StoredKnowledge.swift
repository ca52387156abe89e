/// What a store has for a request whose header fields may still change.
enum StoredKnowledge {
  /// The response for exactly this request.
  case response(StoredResponse)
  /// Only responses for the same target with other credentials, another content, or other selecting fields.
  case others
  /// Nothing for the target.
  case nothing
}
