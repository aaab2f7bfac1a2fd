// The one list of words that joints are called by, in all the conventions that the library understands: fitting, binding
// and retargeting read names here and nowhere else. joint_roles.h names the conventions, and its tests hold a row of
// each. What other languages call them is brought into English first, by joint_name_words.cpp.
#pragma once

#include "sinew/anatomy/joint_name_words.h"

namespace sinew {

// What the words of one name tell, without regard to the joint's place in the hierarchy.
JointRole role_of_words(const NameWords& name);

}  // namespace sinew
