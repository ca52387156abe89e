public import Interception

/// The name of data that several APIs return or change, such as `houses` or `house 7`.
///
/// An API names the tags of a response by ``API/tags(for:)``, a mutation invalidates them by a
/// ``TagRegistry``, and a cache removes the responses that have them.
public typealias DataTag = CacheRule.Tag
