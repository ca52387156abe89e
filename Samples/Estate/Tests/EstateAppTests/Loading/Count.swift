/// A number that closures on the main actor change.
@MainActor final class Count {
  var value = 0
}
